import { sending } from '../sending/index.js'; export const up = sending;
