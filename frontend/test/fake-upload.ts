import { act } from '@testing-library/react';

/** Replaces FormData, because Node's does not accept files of jsdom. */
class FakeForm extends Map<string, unknown> {}

/** Replaces XMLHttpRequest: a test sets the progress of an upload and answers it. */
export class FakeUpload {
  static all: FakeUpload[] = [];
  readonly upload: { onprogress?: (event: { loaded: number }) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  ontimeout?: () => void;
  status = 0;
  responseText = '';
  path = '';
  form = new FakeForm();
  readonly headers: Record<string, string> = {};
  isStopped = false;
  timeout = 0;

  constructor() {
    FakeUpload.all.push(this);
  }

  /** The upload that was started last. */
  static get last(): FakeUpload {
    const last = FakeUpload.all.at(-1);
    if (!last) throw new Error('nothing was uploaded');
    return last;
  }

  open(_method: string, path: string) {
    this.path = path;
  }

  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }

  send(form: FakeForm) {
    this.form = form;
  }

  abort() {
    this.isStopped = true;
    this.onabort?.();
  }

  getResponseHeader() {
    return null;
  }

  /** @param loaded number of bytes sent */
  progress(loaded: number) {
    act(() => this.upload.onprogress?.({ loaded }));
  }

  /** Sends the response. */
  async answer(body: object, status = 201) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    await act(async () => this.onload?.());
  }

  /** Breaks the connection. */
  async break() {
    await act(async () => this.onerror?.());
  }
}

/**
 * Replaces XMLHttpRequest by FakeUpload.
 * @returns a function that restores it
 */
export function fakeUploads(): () => void {
  const { XMLHttpRequest, FormData } = globalThis;
  FakeUpload.all = [];
  Object.assign(globalThis, { XMLHttpRequest: FakeUpload, FormData: FakeForm });
  return () => void Object.assign(globalThis, { XMLHttpRequest, FormData });
}
