import base from './jest.cluster.config.js';

/** `npm run load`: figures, not a test of `npm test`. */
export default { ...base, testRegex: ['\\.load-spec\\.ts$'] };
