import { doc, link, paragraph, text } from '../../kit/samples/documents.js';
import { PNG } from '../../kit/samples/pictures.js';
import type { SignedUp } from '../../kit/users.js';
import { uploadFile } from '../../kit/upload-file.js';

export const ADDRESS = { addressLine1: '12 Main Street', city: 'Hartford', region: 'CT', postalCode: '06103' };
export const ADDRESS_LINE = '12 Main Street, Hartford, CT 06103';
export const SIGNATURE = doc(
  paragraph(text('Ms Recruiter', { type: 'bold' })),
  paragraph(text('Our site', link('https://acme.test/'))),
);
export const CLOSING = doc(paragraph('An equal opportunity employer.'));

/** @returns the id of a picture that is no bigger than a logo */
export const uploadLogo = async (by: SignedUp): Promise<string> =>
  (await uploadFile(by, PNG, 'logo.png', 'image')).body.id as string;
export const readProfile = async (by: SignedUp) => (await by.agent.get('/api/sender-profile').expect(200)).body;
export const putProfile = (by: SignedUp, body: object, version: number | string = '*') =>
  by.agent
    .put('/api/sender-profile')
    .set('If-Match', typeof version === 'number' ? `"${version}"` : version)
    .send(body);
