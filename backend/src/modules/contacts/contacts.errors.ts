import { AppError, conflict, invalid, notFound } from '../../shared/errors/app-error.js';
import { INVALID_EMAIL } from '../../shared/http/requests/text.decorators.js';

export const contactNotFound = (): AppError => notFound('Contact not found');
export const fieldNotFound = (): AppError => notFound('Field not found');
export const tagNotFound = (): AppError => notFound('Tag not found');
export const noteNotFound = (): AppError => notFound('Note not found');
export const bulkNotFound = (): AppError => notFound('Bulk change not found');
export const invalidAddress = (): AppError => invalid('email', INVALID_EMAIL);
/** The account already has a contact with the address; `details.id` is the id of that contact. */
export const addressKnown = (id: string): AppError =>
  new AppError('contact_exists', 409, 'This address is already among your contacts', { details: { id } });
export const addressTaken = (): AppError =>
  conflict('contact_exists', 'This address is already on one of the lists. Please try again.');
export const fieldExists = (): AppError => conflict('field_exists', 'There is already a field with this key');
export const tagExists = (): AppError => conflict('tag_exists', 'There is already a tag with this name');
export const limitReached = (what: string, most: number): AppError =>
  conflict('limit_reached', `An account can have at most ${most.toLocaleString('en-US')} ${what}`);

export const ruleNotFound = (): AppError => notFound('Rule not found');
export const companyNotFound = (): AppError => notFound('Company not found');
export const INVALID_RULE = 'Enter an address or a domain';
export const invalidRule = (): AppError => invalid('value', INVALID_RULE);
export const RULE_EXISTS = 'This is on your do-not-send list already';
export const ruleExists = (): AppError => conflict('rule_exists', RULE_EXISTS);
export const broadRuleText = (domain: string, contacts: number): string =>
  `This blocks all ${contacts.toLocaleString('en-US')} of your contacts at ${domain}. Send it again with confirm to go ahead.`;
export const broadRule = (domain: string, contacts: number): AppError =>
  new AppError('broad_rule', 409, broadRuleText(domain, contacts), { details: { domain, contacts } });
export const ONE_PERSON_STOPS =
  'Whoever asked you to stop is one person: enter an address, or choose another reason for a company';
export const NO_END_OF_STOPPING =
  'Whoever asked you to stop stays out until they confirm again: there is no last day to set';
export const PAST_END = 'Choose a day that is still to come';

/** Another change of a field or tag is still rewriting the account's contacts. */
export const rewriteRuns = (): AppError =>
  conflict('contacts_busy', 'Another change of your contacts is still running. Please try again in a moment.');
export const tooManyBulkChanges = (most: number): AppError =>
  conflict(
    'limit_reached',
    `${most} changes of many contacts are still running. Please wait until one of them has ended.`,
  );
