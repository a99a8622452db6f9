import { lists } from '../lists/index.js'; export const across = lists;
