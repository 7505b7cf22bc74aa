"""Games of two, which have no host, on a page. This package comes later than the rest (`pbem.page.later`)."""
