/**
 * Kinds of audit events, with the texts that people read. Includes the kinds that other modules record through
 * `AuditTrail`.
 */
export const AUDIT_KINDS = {
  'account.deleted': 'Account deleted',
  'account.registered': 'Account created',
  'account.verified': 'Email address verified',
  'account.suspended': 'Account suspended',
  'account.reinstated': 'Account reinstated',
  'admin.granted': 'Admin rights granted',
  'admin.revoked': 'Admin rights revoked',
  'contact.confirmed': 'Contact confirmed by an admin',
  'contact.unconfirmed': 'Contact set back to pending by an admin',
  'data.exported': 'Data exported',
  'file.report_dismissed': 'Reports of a shared file dismissed by an admin',
  'file.taken_down': 'Shared file taken down by an admin',
  'import.confirmed': 'Attested import confirmed',
  'import.declined': 'Attested import declined',
  'limit.changed': 'Daily limit changed',
  'network.changed': 'Default list changed',
  'network.contact_added': 'Contact added to the default list',
  'network.contact_changed': 'Contact of the default list changed',
  'network.contact_removed': 'Contact removed from the default list',
  'network.imported': 'Contacts imported into the default list',
  'password.changed': 'Password changed',
  'password.reset': 'Password reset by mailed link',
  'password.reset_requested': 'Password reset requested',
  'picture.changed': 'Profile picture changed',
  'picture.removed': 'Profile picture removed',
  'profile.changed': 'Profile changed',
  'provider.added': 'Mail account added',
  'provider.changed': 'Mail account changed',
  'provider.removed': 'Mail account removed',
  'provider.tested': 'Mail account tested',
  'queue.changed': 'Queue changed by hand',
  'role.changed': 'Role changed',
  'session.ended': 'Device signed out',
  'session.ended_others': 'All other devices signed out',
  'session.opened': 'Signed in',
  'session.refused': 'Sign-in failed',
  'session.reused': 'Device signed out: its sign-in was used from two places',
  'session.signed_out': 'Signed out',
  'suppression.added': 'Address suppressed by an admin',
  'suppression.lifted': 'Suppression lifted by an admin',
} as const satisfies Record<string, string>;

export type AuditKind = keyof typeof AUDIT_KINDS;
export const AUDIT_KIND_NAMES = Object.keys(AUDIT_KINDS) as AuditKind[];
