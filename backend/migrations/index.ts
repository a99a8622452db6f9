import { Migration20261121000000_extensions } from './shared/Migration20261121000000_extensions.js';
import { Migration20261121063342_initial } from './shared/Migration20261121063342_initial.js';
import { Migration20261121070000_network_list } from './lists/Migration20261121070000_network_list.js';
import { Migration20261121075824_network_cap } from './sending/Migration20261121075824_network_cap.js';
import { Migration20261121080000_contacts } from './lists/Migration20261121080000_contacts.js';
import { Migration20261121080100_referrals } from './billing/Migration20261121080100_referrals.js';
import { Migration20261121080319_dashboard } from './shared/Migration20261121080319_dashboard.js';
import { Migration20261121080339_accounts } from './auth/Migration20261121080339_accounts.js';
import { Migration20261121080441_bounce_reports } from './sending/Migration20261121080441_bounce_reports.js';
import { Migration20261121081820_billing } from './billing/Migration20261121081820_billing.js';
import { Migration20261121082000_dashboard_compaction } from './shared/Migration20261121082000_dashboard_compaction.js';
import { Migration20261121083823_provider_health } from './mail-accounts/Migration20261121083823_provider_health.js';
import { Migration20261121084700_delivery_engine } from './sending/Migration20261121084700_delivery_engine.js';
import { Migration20261121091200_admin } from './shared/Migration20261121091200_admin.js';
import { Migration20261121092326_send_controls } from './sending/Migration20261121092326_send_controls.js';
import { Migration20261121093000_deliveries } from './sending/Migration20261121093000_deliveries.js';
import { Migration20261121113500_delivery_search } from './sending/Migration20261121113500_delivery_search.js';
import { Migration20261121114853_last_event } from './lists/Migration20261121114853_last_event.js';
import { Migration20261121115500_contact_names } from './lists/Migration20261121115500_contact_names.js';
import { Migration20261121123000_lifted_suppressions } from './lists/Migration20261121123000_lifted_suppressions.js';
import { Migration20261121180951_lifted_index } from './lists/Migration20261121180951_lifted_index.js';
import { Migration20261121211831_send_retries } from './sending/Migration20261121211831_send_retries.js';
import { Migration20261121212758_provider_key } from './mail-accounts/Migration20261121212758_provider_key.js';
import { Migration20261122072500_mailboxes } from './auth/Migration20261122072500_mailboxes.js';
import { Migration20261122072600_mailbox_index } from './auth/Migration20261122072600_mailbox_index.js';
import { Migration20261122073500_consent_changes } from './lists/Migration20261122073500_consent_changes.js';
import { Migration20261122073500_import_limits } from './imports/Migration20261122073500_import_limits.js';
import { Migration20261122074000_refresh_tokens } from './auth/Migration20261122074000_refresh_tokens.js';
import { Migration20261122074500_outreach } from './outreach/Migration20261122074500_outreach.js';
import { Migration20261122074600_outreach_indexes } from './outreach/Migration20261122074600_outreach_indexes.js';
import { Migration20261122080000_backlogs } from './sending/Migration20261122080000_backlogs.js';
import { Migration20261122080100_delivery_indexes } from './sending/Migration20261122080100_delivery_indexes.js';
import { Migration20261122080300_audit_pseudonyms } from './auth/Migration20261122080300_audit_pseudonyms.js';
import { Migration20261122080400_audit_pseudonym_indexes } from './auth/Migration20261122080400_audit_pseudonym_indexes.js';
import { Migration20261122081600_picture_metadata } from './auth/Migration20261122081600_picture_metadata.js';
import { Migration20261122081700_picture_metadata_index } from './auth/Migration20261122081700_picture_metadata_index.js';
import { Migration20261122082000_network_mailboxes } from './sending/Migration20261122082000_network_mailboxes.js';
import { Migration20261122084500_retention_indexes } from './shared/Migration20261122084500_retention_indexes.js';
import { Migration20261122093000_outreach_retention_index } from './outreach/Migration20261122093000_outreach_retention_index.js';
import { Migration20261122105500_delivery_shares } from './sending/Migration20261122105500_delivery_shares.js';
import { Migration20261122110000_account_changes } from './shared/Migration20261122110000_account_changes.js';
import { Migration20261122114500_hourly_purge_indexes } from './shared/Migration20261122114500_hourly_purge_indexes.js';
import { Migration20261122115000_trigram_pending_list } from './lists/Migration20261122115000_trigram_pending_list.js';
import { Migration20261122120000_outreach_hours } from './outreach/Migration20261122120000_outreach_hours.js';
import { Migration20261125090100_cut_rates_index } from './mail-accounts/Migration20261125090100_cut_rates_index.js';
import { Migration20261125090000_list_changes } from './lists/Migration20261125090000_list_changes.js';
import { Migration20261124180500_consent_changes_of_addresses } from './lists/Migration20261124180500_consent_changes_of_addresses.js';
import { Migration20261122140000_undo_deletion } from './lists/Migration20261122140000_undo_deletion.js';
import { Migration20261122140100_deleted_lists_index } from './lists/Migration20261122140100_deleted_lists_index.js';
import { Migration20261122141000_contact_changes } from './lists/Migration20261122141000_contact_changes.js';
import { Migration20261122141100_delivery_lanes } from './sending/Migration20261122141100_delivery_lanes.js';
import { Migration20261122150000_onboarding } from './auth/Migration20261122150000_onboarding.js';
import { Migration20261122150100_bounced_index } from './lists/Migration20261122150100_bounced_index.js';
import { Migration20261122171000_composing } from './composing/Migration20261122171000_composing.js';
import { Migration20261122171100_sent_drafts } from './composing/Migration20261122171100_sent_drafts.js';
import { Migration20261122172000_send_messages } from './sending/Migration20261122172000_send_messages.js';
import { Migration20261122172100_contact_name_parts } from './lists/Migration20261122172100_contact_name_parts.js';
import { Migration20261123010000_contact_profiles } from './contacts/Migration20261123010000_contact_profiles.js';
import { Migration20261123080200_profile_order_index } from './contacts/Migration20261123080200_profile_order_index.js';
import { Migration20261123080300_cleanup_jobs } from './contacts/Migration20261123080300_cleanup_jobs.js';
import { Migration20261123060000_do_not_send } from './contacts/Migration20261123060000_do_not_send.js';
import { Migration20261123060100_send_audiences } from './sending/Migration20261123060100_send_audiences.js';
import { Migration20261123110000_scheduled_sends } from './schedules/Migration20261123110000_scheduled_sends.js';
import { Migration20261123060200_draft_audience } from './composing/Migration20261123060200_draft_audience.js';
import { Migration20261127010000_sender_profiles } from './composing/Migration20261127010000_sender_profiles.js';
import { Migration20261123070000_repeated_lines_index } from './imports/Migration20261123070000_repeated_lines_index.js';
import { Migration20261123080000_domain_lookup_limit } from './imports/Migration20261123080000_domain_lookup_limit.js';
import { Migration20261123080100_import_erasures } from './imports/Migration20261123080100_import_erasures.js';
import { Migration20261123010100_membership_profiles } from './lists/Migration20261123010100_membership_profiles.js';
import { Migration20261123040000_import_steps } from './imports/Migration20261123040000_import_steps.js';
import { Migration20261123040100_open_imports_index } from './imports/Migration20261123040100_open_imports_index.js';
import { Migration20261123010200_membership_profile_indexes } from './lists/Migration20261123010200_membership_profile_indexes.js';
import { Migration20261123043500_undone_memberships } from './imports/Migration20261123043500_undone_memberships.js';
import { Migration20261123043000_contact_columns } from './contacts/Migration20261123043000_contact_columns.js';
import { Migration20261123042000_address_statistics } from './lists/Migration20261123042000_address_statistics.js';
import { Migration20261122210000_sent_pictures } from './composing/Migration20261122210000_sent_pictures.js';
import { Migration20261123050000_segments } from './contacts/Migration20261123050000_segments.js';
import { Migration20261123050100_contact_activity } from './sending/Migration20261123050100_contact_activity.js';
import { Migration20261123050200_contact_activity_index } from './sending/Migration20261123050200_contact_activity_index.js';
import { Migration20261123104500_notifications } from './notifications/Migration20261123104500_notifications.js';
import { Migration20261124180100_used_share } from './sending/Migration20261124180100_used_share.js';
import { Migration20261124190300_mail_account_changes } from './mail-accounts/Migration20261124190300_mail_account_changes.js';
import { Migration20261127170000_draft_jobs } from './composing/Migration20261127170000_draft_jobs.js';
import { Migration20261127020000_testers } from './composing/Migration20261127020000_testers.js';
import { Migration20261127110000_files } from './composing/Migration20261127110000_files.js';
import { Migration20261127180000_file_changes } from './composing/Migration20261127180000_file_changes.js';
import { Migration20261127210000_attachments } from './composing/Migration20261127210000_attachments.js';
import { Migration20261127110100_file_indexes } from './composing/Migration20261127110100_file_indexes.js';
import { Migration20261127100000_tested_compositions } from './sending/Migration20261127100000_tested_compositions.js';
import { Migration20261127220000_sent_options } from './sending/Migration20261127220000_sent_options.js';
import { Migration20261127220100_template_options } from './composing/Migration20261127220100_template_options.js';
import { Migration20261128000000_waiting_scheduled } from './schedules/Migration20261128000000_waiting_scheduled.js';
import { Migration20261128000100_unread_files } from './sending/Migration20261128000100_unread_files.js';
import { Migration20261128000200_taken_down_files } from './composing/Migration20261128000200_taken_down_files.js';
import { Migration20261128110000_own_taken_down_files } from './composing/Migration20261128110000_own_taken_down_files.js';
import { Migration20261128160000_files_last_missing } from './history/Migration20261128160000_files_last_missing.js';
import { Migration20261128010000_profile_counts } from './contacts/Migration20261128010000_profile_counts.js';
import { Migration20261128020000_field_to_text } from './contacts/Migration20261128020000_field_to_text.js';
import { Migration20261128210000_claim_token } from './delivery/Migration20261128210000_claim_token.js';

/**
 * All migrations, in the order in which they run, which is by name. A database stores only the names, so a file may be
 * moved to another folder. The list is explicit, so that it is the same when compiled, from source and in tests.
 */
const every = [
  Migration20261121000000_extensions,
  Migration20261121063342_initial,
  Migration20261121070000_network_list,
  Migration20261121075824_network_cap,
  Migration20261121080000_contacts,
  Migration20261121080100_referrals,
  Migration20261121080319_dashboard,
  Migration20261121080339_accounts,
  Migration20261121080441_bounce_reports,
  Migration20261121081820_billing,
  Migration20261121082000_dashboard_compaction,
  Migration20261121083823_provider_health,
  Migration20261121084700_delivery_engine,
  Migration20261121091200_admin,
  Migration20261121092326_send_controls,
  Migration20261121093000_deliveries,
  Migration20261121113500_delivery_search,
  Migration20261121114853_last_event,
  Migration20261121115500_contact_names,
  Migration20261121123000_lifted_suppressions,
  Migration20261121180951_lifted_index,
  Migration20261121211831_send_retries,
  Migration20261121212758_provider_key,
  Migration20261122072500_mailboxes,
  Migration20261122072600_mailbox_index,
  Migration20261122073500_consent_changes,
  Migration20261122073500_import_limits,
  Migration20261122074000_refresh_tokens,
  Migration20261122074500_outreach,
  Migration20261122074600_outreach_indexes,
  Migration20261122080000_backlogs,
  Migration20261122080100_delivery_indexes,
  Migration20261122080300_audit_pseudonyms,
  Migration20261122080400_audit_pseudonym_indexes,
  Migration20261122081600_picture_metadata,
  Migration20261122081700_picture_metadata_index,
  Migration20261122082000_network_mailboxes,
  Migration20261122084500_retention_indexes,
  Migration20261122093000_outreach_retention_index,
  Migration20261122105500_delivery_shares,
  Migration20261122110000_account_changes,
  Migration20261122114500_hourly_purge_indexes,
  Migration20261122115000_trigram_pending_list,
  Migration20261122120000_outreach_hours,
  Migration20261122140000_undo_deletion,
  Migration20261122140100_deleted_lists_index,
  Migration20261122141000_contact_changes,
  Migration20261122141100_delivery_lanes,
  Migration20261122150000_onboarding,
  Migration20261122150100_bounced_index,
  Migration20261122171000_composing,
  Migration20261122171100_sent_drafts,
  Migration20261122172000_send_messages,
  Migration20261122172100_contact_name_parts,
  Migration20261122210000_sent_pictures,
  Migration20261123010000_contact_profiles,
  Migration20261123010100_membership_profiles,
  Migration20261123010200_membership_profile_indexes,
  Migration20261123040000_import_steps,
  Migration20261123040100_open_imports_index,
  Migration20261123050000_segments,
  Migration20261123050100_contact_activity,
  Migration20261123050200_contact_activity_index,
  Migration20261123042000_address_statistics,
  Migration20261123043000_contact_columns,
  Migration20261123043500_undone_memberships,
  Migration20261123060000_do_not_send,
  Migration20261123060100_send_audiences,
  Migration20261123060200_draft_audience,
  Migration20261123070000_repeated_lines_index,
  Migration20261123080000_domain_lookup_limit,
  Migration20261123080100_import_erasures,
  Migration20261123080200_profile_order_index,
  Migration20261123080300_cleanup_jobs,
  Migration20261123104500_notifications,
  Migration20261123110000_scheduled_sends,
  Migration20261124180500_consent_changes_of_addresses,
  Migration20261124180100_used_share,
  Migration20261124190300_mail_account_changes,
  Migration20261125090000_list_changes,
  Migration20261125090100_cut_rates_index,
  Migration20261127010000_sender_profiles,
  Migration20261127020000_testers,
  Migration20261127100000_tested_compositions,
  Migration20261127110000_files,
  Migration20261127110100_file_indexes,
  Migration20261127170000_draft_jobs,
  Migration20261127180000_file_changes,
  Migration20261127210000_attachments,
  Migration20261127220000_sent_options,
  Migration20261127220100_template_options,
  Migration20261128000000_waiting_scheduled,
  Migration20261128000100_unread_files,
  Migration20261128000200_taken_down_files,
  Migration20261128010000_profile_counts,
  Migration20261128020000_field_to_text,
  Migration20261128110000_own_taken_down_files,
  Migration20261128160000_files_last_missing,
  Migration20261128210000_claim_token,
];

export const migrations = every
  .map((migration) => ({ name: migration.name, class: migration }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
