import { afterEach, beforeEach } from '@jest/globals';
import { act } from '@testing-library/react';

/** Replaces EventSource: a test opens the stream, sends events and breaks the connection. */
export class FakeSource extends EventTarget {
  static opened: FakeSource[] = [];
  closed = false;

  constructor(readonly url: string) {
    super();
    FakeSource.opened.push(this);
    queueMicrotask(() => void this.dispatchEvent(new Event('open')));
  }

  /** The currently open stream. */
  static get current(): FakeSource | undefined {
    return FakeSource.opened.findLast(({ closed }) => !closed);
  }

  close() {
    this.closed = true;
  }

  say(name: string, data: unknown = {}) {
    act(() => void this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) })));
  }

  changed(kind: string, ...ids: string[]) {
    this.say('change', { kind, ...(ids.length > 0 && { ids }) });
  }

  break() {
    act(() => void this.dispatchEvent(new Event('error')));
  }
}

/**
 * Replaces EventSource by FakeSource.
 * @returns a function that restores it
 */
export function fakeStream(): () => void {
  FakeSource.opened = [];
  Object.assign(globalThis, { EventSource: FakeSource });
  return () => void Reflect.deleteProperty(globalThis, 'EventSource');
}

/** Replaces EventSource by FakeSource in every test of the file or group. */
export function fakeStreamInEachTest(): void {
  let restore: () => void;
  beforeEach(() => {
    restore = fakeStream();
  });
  afterEach(() => restore());
}

/** Waits until the app has opened the stream. */
export async function openedStream(limitMs = 60_000): Promise<FakeSource> {
  for (const end = Date.now() + limitMs; ; await new Promise((resolve) => setTimeout(resolve, 10))) {
    const source = FakeSource.current;
    if (source) return source;
    if (Date.now() > end) throw new Error('no stream was opened');
  }
}
