import { act } from '@testing-library/react';

/** Stands in for EventSource: a test opens it, says events and breaks it. */
export class FakeSource extends EventTarget {
  static opened: FakeSource[] = [];
  closed = false;

  constructor(readonly url: string) {
    super();
    FakeSource.opened.push(this);
    queueMicrotask(() => void this.dispatchEvent(new Event('open')));
  }

  /** The stream that is open now. */
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

/** Puts FakeSource in the place of EventSource; returns a function that takes it away again. */
export function fakeStream(): () => void {
  FakeSource.opened = [];
  Object.assign(globalThis, { EventSource: FakeSource });
  return () => void Reflect.deleteProperty(globalThis, 'EventSource');
}

/** The stream, once the app has opened it. */
export async function openedStream(limitMs = 60_000): Promise<FakeSource> {
  for (const end = Date.now() + limitMs; ; await new Promise((resolve) => setTimeout(resolve, 10))) {
    const source = FakeSource.current;
    if (source) return source;
    if (Date.now() > end) throw new Error('no stream was opened');
  }
}
