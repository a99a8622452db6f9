import { errorMessage, isApiError } from '../../api/api-error';
import { client } from '../../api/client';
import type {
  ContactFieldDto,
  ContactTagDto,
  ProfileDetailDto,
  ProfileDto,
  ProfileListDto,
  TimelineEntryDto,
  UpdateProfileDto,
} from '../../api/endpoints.gen';

export type Profile = ProfileDto;
export type ProfileDetail = ProfileDetailDto;
export type Membership = ProfileListDto;
export type ProfileChange = UpdateProfileDto;
export type CustomField = ContactFieldDto;
export type ContactTag = ContactTagDto;
export type TimelineEntry = TimelineEntryDto;
export type Consent = ProfileDto['consent'];

const MAX_LISTS = 100;

export const messages = {
  loadFailed: 'The contacts could not be loaded.',
  oneFailed: 'The contact could not be loaded.',
  timelineFailed: 'The story could not be loaded.',
  noneYet: 'No contacts yet',
  noneYetText: 'Import a file, paste rows, or add one by hand.',
  noMatch: 'No contacts found matching your search',
  nothingOfKind: 'Nothing of this kind yet.',
  added: 'Contact Added!',
  addFailed: 'Failed to Add Contact',
  saved: 'Saved',
  saveFailed: 'Not saved',
  deleted: 'Contact Deleted!',
  addressChanged: 'Address Changed!',
  addressFailed: 'Failed to Change the Address',
  noteFailed: 'The note could not be saved',
  newestLists: `Only your newest ${MAX_LISTS} lists are offered here. Older ones take contacts on their own page.`,
  listFailed: 'The list could not be changed',
  columnsFailed: 'The columns could not be saved',
  tryAgain: 'Please try again.',
} as const;

/** A person's name; empty if it is unknown. */
export const personName = ({ firstName, lastName }: Pick<Profile, 'firstName' | 'lastName'>): string =>
  [firstName, lastName].filter(Boolean).join(' ');

/** A person's name, else the address. */
export const nameOf = (profile: Pick<Profile, 'firstName' | 'lastName' | 'email'>): string =>
  personName(profile) || profile.email;

export const evidenceUrl = (id: string) => `/api/contacts/${encodeURIComponent(id)}/evidence`;

/** The account's own lists, the newest 100, for choosing one. */
export function useOwnLists() {
  const { data } = client.useListEmailListsQuery({ limit: MAX_LISTS });
  return {
    lists: (data?.rows ?? []).filter(({ isDefault }) => !isDefault),
    /** Hint that older lists are missing; undefined if all lists are shown. */
    limitHint: data && data.total > data.rows.length ? messages.newestLists : undefined,
  };
}

/** The server's text about a refused value, without the general sentence around it. */
export function reasonOf(error: unknown): string {
  const [detail] = isApiError(error) ? error.details : [];
  return detail?.message ?? errorMessage(error, messages.tryAgain);
}

/** The names of tags by their ids. */
export function useTagNames(): ReadonlyMap<number, string> {
  const { data } = client.useListContactTagsQuery();
  return new Map((data ?? []).map(({ id, name }) => [id, name]));
}
