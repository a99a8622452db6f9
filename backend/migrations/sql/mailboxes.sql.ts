/**
 * Hash of the mailbox that a normalised address belongs to: the address without its +tag, and at Gmail without dots.
 * The rule is the same as in shared/mail/mailbox.ts.
 */
export const MAILBOX_HASH = `
  create function mailbox_hash(norm text) returns bytea language sql immutable strict parallel safe as $$
    select sha256(convert_to(case when p.domain in ('gmail.com', 'googlemail.com') then replace(p.local, '.', '') || '@gmail.com' else p.local || '@' || p.domain end, 'UTF8'))
    from (select split_part(substring(norm from '^(.*)@'), '+', 1) as local, substring(norm from '@([^@]*)$') as domain) p
  $$`;

/**
 * A trigger fills in users.mailbox_hash, because instances of the previous version write users without it. A closed
 * account has no address and therefore no mailbox.
 */
export const USERS_MAILBOX = `
  create function users_mailbox() returns trigger language plpgsql as $$
  begin
    new.mailbox_hash := mailbox_hash(new.email_norm);
    return new;
  end $$`;

export const USERS_MAILBOX_TRIGGER = `create trigger users_mailbox_set before insert or update of email_norm on users for each row execute function users_mailbox()`;

/**
 * Fills in the mailbox of a suppressed address, so that a suppression also covers the mailbox when a person is asked
 * for consent. The address may be erased later; the hash of its mailbox stays.
 */
export const SUPPRESSIONS_MAILBOX = `
  create function suppressions_mailbox() returns trigger language plpgsql as $$
  begin
    new.mailbox_hash := coalesce(new.mailbox_hash, mailbox_hash(new.address_norm));
    return new;
  end $$`;

export const SUPPRESSIONS_MAILBOX_TRIGGER = `create trigger suppressions_mailbox_set before insert on suppressions for each row execute function suppressions_mailbox()`;
