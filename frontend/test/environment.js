import JsdomEnvironment from 'jest-environment-jsdom';
import { speedUpComputedStyle } from './style-matching.js';

/** jsdom lacks what react-router and RTK Query need; it is taken from Node. */
const borrowed = [
  'fetch',
  'Response',
  'Headers',
  'FormData',
  'Blob',
  'AbortController',
  'AbortSignal',
  'TextEncoder',
  'TextDecoder',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'structuredClone',
  'BroadcastChannel',
];

/** Node's Request wants a whole address; a browser's takes '/api/...'. */
class OwnRequest extends Request {
  constructor(input, init) {
    super(typeof input === 'string' && input.startsWith('/') ? `http://localhost${input}` : input, init);
  }
}

/** Node's FormData takes no form; React makes one of a form whose submission navigates, and only passes it on. */
class OwnFormData extends globalThis.FormData {
  constructor() {
    super();
  }
}

export default class BrowserLikeEnvironment extends JsdomEnvironment {
  async setup() {
    await super.setup();
    for (const name of borrowed) if (globalThis[name]) this.global[name] = globalThis[name];
    this.global.Request = OwnRequest;
    this.global.FormData = OwnFormData;
    speedUpComputedStyle(this.global);
    if (!this.global.crypto?.randomUUID) Object.defineProperty(this.global, 'crypto', { value: globalThis.crypto });
  }
}
