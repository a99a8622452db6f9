import JsdomEnvironment from 'jest-environment-jsdom';
import { speedUpComputedStyle } from './style-matching.js';

/** Globals that react-router and RTK Query need. jsdom lacks them, so they are taken from Node. */
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

/** Accepts paths such as '/api/...' like a browser. Node's Request requires an absolute URL. */
class OwnRequest extends Request {
  constructor(input, init) {
    super(typeof input === 'string' && input.startsWith('/') ? `http://localhost${input}` : input, init);
  }
}

/**
 * Ignores its arguments, because Node's FormData does not accept a form. React creates one for forms that navigate, but
 * does not read it.
 */
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
