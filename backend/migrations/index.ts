import { Migration20261121000000_extensions } from './Migration20261121000000_extensions.js';
import { Migration20261121063342_initial } from './Migration20261121063342_initial.js';
import { Migration20261121070000_network_list } from './Migration20261121070000_network_list.js';
import { Migration20261121075824_network_cap } from './Migration20261121075824_network_cap.js';
import { Migration20261121080000_contacts } from './Migration20261121080000_contacts.js';
import { Migration20261121080441_bounce_reports } from './Migration20261121080441_bounce_reports.js';
import { Migration20261121080319_dashboard } from './Migration20261121080319_dashboard.js';
import { Migration20261121082000_dashboard_compaction } from './Migration20261121082000_dashboard_compaction.js';
import { Migration20261121080339_accounts } from './Migration20261121080339_accounts.js';
import { Migration20261121080100_referrals } from './Migration20261121080100_referrals.js';
import { Migration20261121083823_provider_health } from './Migration20261121083823_provider_health.js';
import { Migration20261121081820_billing } from './Migration20261121081820_billing.js';
import { Migration20261121093000_deliveries } from './Migration20261121093000_deliveries.js';
import { Migration20261121123000_lifted_suppressions } from './Migration20261121123000_lifted_suppressions.js';
import { Migration20261121180951_lifted_index } from './Migration20261121180951_lifted_index.js';
import { Migration20261121211831_send_retries } from './Migration20261121211831_send_retries.js';
import { Migration20261121115500_contact_names } from './Migration20261121115500_contact_names.js';
import { Migration20261121113500_delivery_search } from './Migration20261121113500_delivery_search.js';
import { Migration20261121091200_admin } from './Migration20261121091200_admin.js';
import { Migration20261121084700_delivery_engine } from './Migration20261121084700_delivery_engine.js';
import { Migration20261121092326_send_controls } from './Migration20261121092326_send_controls.js';
import { Migration20261121212758_provider_key } from './Migration20261121212758_provider_key.js';
import { Migration20261121114853_last_event } from './Migration20261121114853_last_event.js';
import { Migration20261122073500_consent_changes } from './Migration20261122073500_consent_changes.js';
import { Migration20261122072500_mailboxes } from './Migration20261122072500_mailboxes.js';
import { Migration20261122072600_mailbox_index } from './Migration20261122072600_mailbox_index.js';
import { Migration20261122080000_backlogs } from './Migration20261122080000_backlogs.js';
import { Migration20261122080100_delivery_indexes } from './Migration20261122080100_delivery_indexes.js';
import { Migration20261122074500_outreach } from './Migration20261122074500_outreach.js';
import { Migration20261122074600_outreach_indexes } from './Migration20261122074600_outreach_indexes.js';
import { Migration20261122073500_import_limits } from './Migration20261122073500_import_limits.js';
import { Migration20261122074000_refresh_tokens } from './Migration20261122074000_refresh_tokens.js';
import { Migration20261122082000_network_mailboxes } from './Migration20261122082000_network_mailboxes.js';
import { Migration20261122080300_audit_pseudonyms } from './Migration20261122080300_audit_pseudonyms.js';
import { Migration20261122080400_audit_pseudonym_indexes } from './Migration20261122080400_audit_pseudonym_indexes.js';
import { Migration20261122115000_trigram_pending_list } from './Migration20261122115000_trigram_pending_list.js';
import { Migration20261122114500_hourly_purge_indexes } from './Migration20261122114500_hourly_purge_indexes.js';
import { Migration20261122093000_outreach_retention_index } from './Migration20261122093000_outreach_retention_index.js';
import { Migration20261122105500_delivery_shares } from './Migration20261122105500_delivery_shares.js';
import { Migration20261122120000_outreach_hours } from './Migration20261122120000_outreach_hours.js';
import { Migration20261122084500_retention_indexes } from './Migration20261122084500_retention_indexes.js';
import { Migration20261122081600_picture_metadata } from './Migration20261122081600_picture_metadata.js';
import { Migration20261122081700_picture_metadata_index } from './Migration20261122081700_picture_metadata_index.js';

/** Every migration; named here so that the list is the same compiled, from source and in tests. They run in the order of their names. */
const every = [
  Migration20261121000000_extensions,
  Migration20261121063342_initial,
  Migration20261121070000_network_list,
  Migration20261121075824_network_cap,
  Migration20261121080000_contacts,
  Migration20261121080441_bounce_reports,
  Migration20261121080319_dashboard,
  Migration20261121082000_dashboard_compaction,
  Migration20261121080339_accounts,
  Migration20261121080100_referrals,
  Migration20261121083823_provider_health,
  Migration20261121081820_billing,
  Migration20261121093000_deliveries,
  Migration20261121091200_admin,
  Migration20261121084700_delivery_engine,
  Migration20261121092326_send_controls,
  Migration20261121114853_last_event,
  Migration20261121113500_delivery_search,
  Migration20261121115500_contact_names,
  Migration20261121123000_lifted_suppressions,
  Migration20261121180951_lifted_index,
  Migration20261121212758_provider_key,
  Migration20261121211831_send_retries,
  Migration20261122073500_consent_changes,
  Migration20261122072500_mailboxes,
  Migration20261122072600_mailbox_index,
  Migration20261122080000_backlogs,
  Migration20261122080100_delivery_indexes,
  Migration20261122074500_outreach,
  Migration20261122074600_outreach_indexes,
  Migration20261122073500_import_limits,
  Migration20261122074000_refresh_tokens,
  Migration20261122082000_network_mailboxes,
  Migration20261122080300_audit_pseudonyms,
  Migration20261122080400_audit_pseudonym_indexes,
  Migration20261122084500_retention_indexes,
  Migration20261122081600_picture_metadata,
  Migration20261122081700_picture_metadata_index,
  Migration20261122093000_outreach_retention_index,
  Migration20261122105500_delivery_shares,
  Migration20261122120000_outreach_hours,
  Migration20261122114500_hourly_purge_indexes,
  Migration20261122115000_trigram_pending_list,
];

export const migrations = every
  .map((migration) => ({ name: migration.name, class: migration }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
