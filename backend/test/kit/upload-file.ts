import type { SignedUp } from './users.js';

/** Uploads a file with the form of the web app. @param kind document, or image for a picture */
export const uploadFile = (user: SignedUp, bytes: Buffer, name = 'Resume.pdf', kind = 'document') =>
  user.agent.post('/api/files').set('Sec-Fetch-Site', 'same-origin').field('kind', kind).attach('file', bytes, name);
