import JsdomEnvironment from 'jest-environment-jsdom';

/** jsdom lacks what react-router and RTK Query need; it is taken from Node. */
const borrowed = [
  'fetch', 'Request', 'Response', 'Headers', 'FormData', 'Blob', 'AbortController', 'AbortSignal',
  'TextEncoder', 'TextDecoder', 'ReadableStream', 'WritableStream', 'TransformStream', 'structuredClone', 'BroadcastChannel',
];

export default class BrowserLikeEnvironment extends JsdomEnvironment {
  async setup() {
    await super.setup();
    for (const name of borrowed) if (globalThis[name]) this.global[name] = globalThis[name];
  }
}
