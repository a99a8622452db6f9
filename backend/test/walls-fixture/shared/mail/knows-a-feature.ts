import { auth } from '../../modules/auth/index.js'; export const floor = auth;
