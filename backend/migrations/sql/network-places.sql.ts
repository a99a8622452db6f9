/**
 * A delivery to the network that fails for good no longer counts against the daily cap. The trigger uncounts it in the
 * same transaction, whatever code writes the failure. The WHEN condition is evaluated inline, so that other changes of
 * a delivery call no function.
 */
export const networkPlacesUp: string[] = [
  `create function network_mails_give_back() returns trigger language plpgsql as $body$
begin
  delete from network_mails where delivery_id = new.id;
  return null;
end
$body$`,
  `create trigger network_mails_give_back after update of status on email_delivery_logs for each row
   when (new.masked and new.status in ('failed', 'skipped', 'bounced') and old.status is distinct from new.status)
   execute function network_mails_give_back()`,
];

export const networkPlacesDown: string[] = [
  'drop trigger if exists network_mails_give_back on email_delivery_logs',
  'drop function if exists network_mails_give_back()',
];
