import { client } from '../api/client';

type SaveCall = ReturnType<typeof client.useSaveSenderProfileMutation>[0];
type SavedProfile = Parameters<SaveCall>[0]['saveSenderProfileDto'];
/** A sender profile as it is stored. */
export type SenderProfile = NonNullable<ReturnType<typeof client.useGetSenderProfileQuery>['data']>;
type Parts = Omit<SavedProfile, 'signature' | 'footer'> & { signature?: unknown; footer?: unknown };

/** The parts of a stored profile that a save has to include. */
export const savedParts = ({
  version: _version,
  address: _address,
  addressRequired: _required,
  ...parts
}: SenderProfile): Parts => parts;

/** A profile with changes, as the API expects it. An empty text becomes null. */
export const withChanges = (stored: SenderProfile, changes: Parts): SavedProfile =>
  Object.fromEntries(
    Object.entries({ ...savedParts(stored), ...changes }).map(([name, value]) => [name, value === '' ? null : value]),
  );

/**
 * Saves changes to the profile that was read. The server refuses them if the profile was changed elsewhere meanwhile.
 */
export function useSaveSenderProfile() {
  const [save] = client.useSaveSenderProfileMutation();
  return (stored: SenderProfile, changes: Parts) =>
    save({ 'If-Match': `"${stored.version}"`, saveSenderProfileDto: withChanges(stored, changes) }).unwrap();
}
