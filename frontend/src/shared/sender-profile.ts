import { client } from '../api/client';

type SaveCall = ReturnType<typeof client.useSaveSenderProfileMutation>[0];
type SavedProfile = Parameters<SaveCall>[0]['saveSenderProfileDto'];
/** A sender profile as it is stored. */
export type SenderProfile = NonNullable<ReturnType<typeof client.useGetSenderProfileQuery>['data']>;
type Parts = Omit<SavedProfile, 'signature' | 'footer'> & { signature?: unknown; footer?: unknown };

/** The parts of a stored profile that a save sends again. */
export const savedParts = ({
  version: _version,
  address: _address,
  addressRequired: _required,
  ...parts
}: SenderProfile): Parts => parts;

/** A profile with changes, as the API takes it: an empty line is none. */
export const withChanges = (stored: SenderProfile, changes: Parts): SavedProfile =>
  Object.fromEntries(
    Object.entries({ ...savedParts(stored), ...changes }).map(([name, value]) => [name, value === '' ? null : value]),
  );

/** Saves changes of the profile that was read; refused where it was changed elsewhere since. */
export function useSaveSenderProfile() {
  const [save] = client.useSaveSenderProfileMutation();
  return (stored: SenderProfile, changes: Parts) =>
    save({ 'If-Match': `"${stored.version}"`, saveSenderProfileDto: withChanges(stored, changes) }).unwrap();
}
