/** Merge tags as other tools write them; the first group of each pattern is the name. */
const PATTERNS = [
  /\*\|([A-Za-z][A-Za-z0-9_ :]{0,40})\|\*/g,
  /\{\{ {0,2}([A-Za-z][A-Za-z0-9_.]{0,60}) {0,2}\}\}/g,
  /(?<!\{)\{\$?([A-Za-z][A-Za-z0-9_.]{0,40})\}(?!\})/g,
  /%%?([A-Z][A-Z0-9_]{1,40})%%?/g,
  /<<([A-Za-z][A-Za-z0-9_ ]{0,40})>>/g,
  /«([A-Za-z][A-Za-z0-9_ ]{0,40})»/g,
  /\[\[([A-Za-z][A-Za-z0-9_ ]{0,40})\]\]/g,
];

const names: Record<string, string> = {
  fname: 'first_name',
  first: 'first_name',
  firstname: 'first_name',
  givenname: 'first_name',
  lname: 'last_name',
  last: 'last_name',
  lastname: 'last_name',
  surname: 'last_name',
  name: 'full_name',
  fullname: 'full_name',
  company: 'company',
  companyname: 'company',
  organization: 'company',
  account: 'company',
  email: 'email',
  emailaddress: 'email',
};

const OWN_TAG = /^\{\{ ?[a-z][a-z0-9_.]{0,59} ?(?:\||\}\})/;

/** The merge tags of other tools in a text, each once, with our tag of the same meaning. */
export function foreignTagsIn(text: string): { written: string; tag: string }[] {
  const found = new Map<string, string>();
  for (const pattern of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const name = (match[1] ?? '').toLowerCase();
      const tag =
        names[
          name.replace(/^(?:contact|recipient|subscriber|person|lead|merge|user)[._ :]/, '').replace(/[^a-z]/g, '')
        ];
      const isOurs = OWN_TAG.test(match[0]) && match[0].replace(/[{} ]/g, '') === tag;
      if (tag && !isOurs) found.set(match[0], tag);
    }
  }
  return [...found].map(([written, tag]) => ({ written, tag }));
}
