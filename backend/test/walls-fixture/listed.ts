import { stray } from './modules/stray/index.js'; export const listed = stray;
