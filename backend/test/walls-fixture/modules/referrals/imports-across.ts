import { history } from '../history/index.js'; export const across = history;
