import { act } from '@testing-library/react';

/** Stands in for FormData: Node's takes no files of jsdom. */
class FakeForm extends Map<string, unknown> {}

/** Stands in for XMLHttpRequest: a test says how far an upload is, and answers it. */
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
  isStopped = false;
  timeout = 0;

  constructor() {
    FakeUpload.all.push(this);
  }

  /** The upload that began last. */
  static get last(): FakeUpload {
    const last = FakeUpload.all.at(-1);
    if (!last) throw new Error('nothing was uploaded');
    return last;
  }

  open(_method: string, path: string) {
    this.path = path;
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

  /** @param loaded bytes that were sent */
  progress(loaded: number) {
    act(() => this.upload.onprogress?.({ loaded }));
  }

  /** The server answers. */
  async answer(body: object, status = 201) {
    this.status = status;
    this.responseText = JSON.stringify(body);
    await act(async () => this.onload?.());
  }

  /** The connection breaks. */
  async break() {
    await act(async () => this.onerror?.());
  }
}

/** Puts FakeUpload in the place of XMLHttpRequest; returns a function that takes it away again. */
export function fakeUploads(): () => void {
  const { XMLHttpRequest, FormData } = globalThis;
  FakeUpload.all = [];
  Object.assign(globalThis, { XMLHttpRequest: FakeUpload, FormData: FakeForm });
  return () => void Object.assign(globalThis, { XMLHttpRequest, FormData });
}
