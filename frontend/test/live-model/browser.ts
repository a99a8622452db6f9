/**
 * The parts of a browser that its tabs share: broadcast channels and locks. jsdom has neither, and Node's are shared
 * with other tests.
 */

class FakeChannel {
  static all = new Set<FakeChannel>();
  onmessage: ((event: MessageEvent) => unknown) | null = null;

  constructor(readonly name: string) {
    FakeChannel.all.add(this);
  }

  postMessage(data: unknown) {
    for (const other of FakeChannel.all) {
      if (other === this || other.name !== this.name) continue;
      // Clones the data like a browser. A tab that was closed meanwhile receives nothing.
      const copy = structuredClone(data);
      queueMicrotask(() => FakeChannel.all.has(other) && other.onmessage?.({ data: copy } as MessageEvent));
    }
  }

  close() {
    FakeChannel.all.delete(this);
  }
}

interface Entry {
  grant: () => Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
}

function fakeLocks() {
  const locks = new Map<string, { queue: Entry[]; holder?: Entry | undefined }>();
  const lockOf = (name: string) => {
    const lock = locks.get(name) ?? { queue: [] };
    locks.set(name, lock);
    return lock;
  };
  const hold = (name: string, entry: Entry) => {
    const lock = lockOf(name);
    lock.holder = entry;
    void entry.grant().then(() => {
      if (lock.holder !== entry) return;
      lock.holder = undefined;
      entry.resolve();
      next(name);
    });
  };
  const next = (name: string) => {
    const lock = lockOf(name);
    const first = lock.holder ? undefined : lock.queue.shift();
    if (first) hold(name, first);
  };
  return {
    request: (name: string, { signal, steal }: LockOptions, grant: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        const entry = { grant, resolve, reject };
        const { queue, holder } = lockOf(name);
        if (steal) {
          holder?.reject(new Error('stolen'));
          return hold(name, entry);
        }
        signal?.addEventListener('abort', () => {
          if (!queue.includes(entry)) return;
          queue.splice(queue.indexOf(entry), 1);
          reject(new Error('aborted'));
        });
        queue.push(entry);
        queueMicrotask(() => next(name));
      }),
  };
}

/**
 * Installs the fake channels and locks.
 * @returns a function that removes them
 */
export function startBrowser(): () => void {
  FakeChannel.all.clear();
  Object.assign(globalThis, { BroadcastChannel: FakeChannel });
  Object.defineProperty(navigator, 'locks', { configurable: true, value: fakeLocks() });
  return () => {
    Reflect.deleteProperty(navigator, 'locks');
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  };
}
