/**
 * A delivery that fails because of its recipient's address or mailbox, or that expires, leaves a bounce report in the
 * same commit, whatever code fails it. So the report's consequence for the address is applied before the send ends, and
 * a crash in between cannot lose the report.
 */
export const deliveryFaultsUp: string[] = [
  `
create or replace function note_delivery_fault() returns trigger language plpgsql as $body$
begin
  insert into bounce_reports (mail_kind, mail_id, report_key, user_id, history_id, address_hash, class, code, said)
  values ('delivery', new.id, 'smtp', new.user_id, new.history_id,
    sha256(convert_to(lower(new.recipient_email collate "C"), 'UTF8')), new.metadata->>'class',
    substring(new.metadata->>'code' from '[245]\\.[0-9]{1,3}\\.[0-9]{1,3}'), left(new.metadata->>'response', 500))
  on conflict (mail_kind, mail_id, report_key) do nothing;
  return null;
end
$body$`,
  `create trigger email_delivery_logs_fault after update of status on email_delivery_logs for each row
   when (new.status = 'failed' and old.status <> 'failed' and new.metadata->>'class' in ('hard-address', 'mailbox-soft', 'expired'))
   execute function note_delivery_fault()`,
];

export const deliveryFaultsDown: string[] = [
  `drop trigger email_delivery_logs_fault on email_delivery_logs`,
  `drop function note_delivery_fault()`,
];
