import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { hostOf, localPartOf } from '../../../../shared/mail/address.js';

/** Cached, because the package builds the set anew on every call. */
let disposable: ReadonlySet<string> | undefined;

/** Addresses that nobody reads, or that only a program reads. */
const NO_REPLY_NAME =
  /^(no|not|do-?not|dont|never)[._-]?reply([._+-].*)?$|^(postmaster|abuse|mailer-?daemon|bounces?|listserv|majordomo|nobody|devnull|noc|hostmaster|webmaster|root|spam)$|-(request|owner|bounces|unsubscribe|subscribe)$/;
const MAILING_LISTS: ReadonlySet<string> = new Set(
  `googlegroups.com groups.google.com groups.io yahoogroups.com yahoogroups.co.in lists.sourceforge.net listserv.com freelists.org
   groups.yahoo.com groups.msn.com topica.com mailman.com groups.outlook.com lists.launchpad.net librelist.com`.split(
    /\s+/,
  ),
);
const LIST_HOST = /^(lists?|listserv|mailman|groups)\./;
/** Local parts of addresses that belong to a function, whose mail several people read. */
const ROLES: ReadonlySet<string> = new Set(
  `jobs job hr hrd recruiting recruiter recruiters recruitment recruit resume resumes cv careers career hiring talent staffing bench
   benchsales vendors vendor vendormanagement vms requirements reqs consultants consulting info information contact contactus office
   admin administrator administration support help helpdesk service services customerservice customercare sales salesteam marketing
   team hello hi enquiries enquiry inquiries inquiry mail email reception frontdesk billing accounts accounting accountspayable ap ar
   payroll finance invoices legal compliance security privacy operations ops it itsupport tech webteam press media pr partners
   partnerships procurement purchasing purchase orders feedback onboarding training immigration everyone all staff management ceo cto
   humanresources people peopleops ta talentacquisition`.split(/\s+/),
);

/** Whether the address's domain, or a parent of it, provides disposable addresses. */
export function isDisposable(norm: string): boolean {
  disposable ??= disposableEmailBlocklistSet();
  for (let domain = hostOf(norm); domain.includes('.'); domain = domain.slice(domain.indexOf('.') + 1))
    if (disposable.has(domain)) return true;
  return false;
}

/** Whether an address belongs to a mailing list, or is read by nobody. */
export function isListAddress(norm: string): boolean {
  const domain = hostOf(norm);
  return NO_REPLY_NAME.test(localPartOf(norm)) || MAILING_LISTS.has(domain) || LIST_HOST.test(domain);
}

/** Whether an address belongs to a function such as jobs@, and not to a person. */
export const isRole = (norm: string): boolean => ROLES.has(localPartOf(norm).split('+', 1)[0]!.replace(/[._-]/g, ''));
