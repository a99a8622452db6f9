import { afterEach, beforeEach } from '@jest/globals';

/** A BroadcastChannel between the windows of one browser, which jsdom does not have. */
export class FakeChannel extends EventTarget {
  static all = new Set<FakeChannel>();
  onmessage: ((event: MessageEvent) => void) | null = null;

  constructor(readonly name: string) {
    super();
    FakeChannel.all.add(this);
  }

  postMessage(data: unknown) {
    for (const other of FakeChannel.all)
      if (other !== this && other.name === this.name) other.onmessage?.(new MessageEvent('message', { data }));
  }

  close() {
    FakeChannel.all.delete(this);
  }
}

/** Replaces BroadcastChannel in every test of the file or group. */
export function fakeChannelInEachTest(): void {
  beforeEach(() => void Object.assign(globalThis, { BroadcastChannel: FakeChannel }));
  afterEach(() => {
    FakeChannel.all.clear();
    Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  });
}
