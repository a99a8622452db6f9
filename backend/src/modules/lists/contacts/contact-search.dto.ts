import { IsString, MaxLength } from 'class-validator';

/** The search text. */
export class ContactSearchQuery {
  /**
   * A part of the address
   * @example 'vendor@'
   */
  @IsString()
  @MaxLength(200)
  search: string;
}

/** A contact found by a search over all lists. */
export class FoundContactDto {
  /**
   * The contact's id
   * @example '7a1e3f5c-8f57-4f0a-9c65-0d6c1d2a9b11'
   */
  id: string;

  /**
   * The address as typed
   * @example 'vendor@example.com'
   */
  email: string;

  /**
   * Name; null if none is given
   * @example 'Sam Vendor'
   */
  name: string | null;

  /**
   * Id of the list that the contact is on
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  listId: string;

  /**
   * Name of that list
   * @example 'Java vendors'
   */
  listName: string;
}
