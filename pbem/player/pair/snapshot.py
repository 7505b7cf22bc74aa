def snapshot(play): return None
def restored(data, knowing, entries, key): return None
