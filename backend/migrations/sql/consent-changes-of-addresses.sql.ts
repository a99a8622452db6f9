import { addressToken, CONSENT_CHANNEL } from './consent-changes.sql.js';

/** Also notifies of the old address when a contact's address changes, because prepared messages carry the old one. */
export const changedAddressUp = `
create or replace function subscriptions_consent_change_update() returns trigger language plpgsql as $body$
begin
  perform pg_notify('${CONSENT_CHANNEL}', ${addressToken('old.email_hash')});
  if new.email_hash is distinct from old.email_hash then
    perform pg_notify('${CONSENT_CHANNEL}', ${addressToken('new.email_hash')});
  end if;
  return null;
end
$body$`;

export const changedAddressDown = `
create or replace function subscriptions_consent_change_update() returns trigger language plpgsql as $body$
begin
  perform pg_notify('${CONSENT_CHANNEL}', ${addressToken('new.email_hash')});
  return null;
end
$body$`;
