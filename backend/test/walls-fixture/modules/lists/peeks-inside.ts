import { inner } from '../auth/inner.js'; export const peeks = inner;
