import { client } from '../api/client';
import type { SaveSenderProfileDto, SenderProfileDto } from '../api/endpoints.gen';

type Parts = Omit<SaveSenderProfileDto, 'signature' | 'footer'> & { signature?: unknown; footer?: unknown };

/** The parts of a stored profile that a save sends again. */
export const savedParts = ({
  version: _version,
  address: _address,
  addressRequired: _required,
  ...parts
}: SenderProfileDto): Parts => parts;

/** A profile with changes, as the API takes it: an empty line is none. */
export const withChanges = (stored: SenderProfileDto, changes: Parts): SaveSenderProfileDto =>
  Object.fromEntries(
    Object.entries({ ...savedParts(stored), ...changes }).map(([name, value]) => [name, value === '' ? null : value]),
  );

/** Saves changes of the profile that was read; refused where it was changed elsewhere since. */
export function useSaveSenderProfile() {
  const [save] = client.useSaveSenderProfileMutation();
  return (stored: SenderProfileDto, changes: Parts) =>
    save({ 'If-Match': `"${stored.version}"`, saveSenderProfileDto: withChanges(stored, changes) }).unwrap();
}
