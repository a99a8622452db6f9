import { getDomain } from 'tldts';
import type { BodyText, TextLink } from './document-text.js';
import { type CheckItem, checkItemOf, type Finding, placeIn } from './check-item.js';
import { isPrivateHost, webHost } from './link-hosts.js';
import { SHORTENERS } from './word-lists.js';

type HostedLink = TextLink & { host: string };

/** Check items about the targets of a message's links. */
export function linkChecks({ links }: BodyText): CheckItem[] {
  const hosted = links.flatMap((link) => {
    const host = webHost(link.href);
    return host === null ? [] : [{ ...link, host }];
  });
  if (hosted.length === 0) return [];
  const some = (holds: (link: HostedLink) => boolean, text: (n: number) => string, fix?: Finding['fix']) => {
    const found = hosted.filter(holds);
    if (found.length === 0) return null;
    return {
      text: text(found.length),
      words: found.map(({ href }) => href),
      where: placeIn('content', found[0]!),
      fix,
    };
  };
  const sites = sitesOf();
  return [
    checkItemOf(
      'link_http',
      'warning',
      some(
        ({ href, host }) => /^http:/i.test(href) && !isPrivateHost(host),
        (n) => (n === 1 ? 'A link is not encrypted (http).' : `${n} links are not encrypted (http).`),
        'useHttps',
      ),
      'Links are encrypted (https).',
    ),
    checkItemOf(
      'link_private',
      'warning',
      some(
        ({ host }) => isPrivateHost(host),
        (n) =>
          n === 1
            ? 'A link leads to an address of this machine or a private network.'
            : `${n} links lead to addresses of this machine or a private network.`,
      ),
      'Links lead to public addresses.',
    ),
    checkItemOf(
      'link_mismatch',
      'warning',
      some(
        ({ text, host }) => sites.namesAnother(text, host),
        () => 'The text of a link names one site and the link goes to another.',
      ),
      'Links go where their texts say.',
    ),
    checkItemOf(
      'link_shortened',
      'warning',
      some(
        ({ host }) => SHORTENERS.has(host.replace(/^www\./, '')),
        (n) =>
          n === 1
            ? 'A shortened link hides where it leads. Filters dislike that.'
            : `${n} shortened links hide where they lead. Filters dislike that.`,
      ),
      'No shortened links.',
    ),
  ];
}

/** A text that consists of a URL or a host name. */
const NAMED_SITE = /^(?:https?:\/\/)?((?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})(?:[/?#:]\S*)?$/iu;

/** Compares the sites of link texts and link targets. Caches the site of each host. */
function sitesOf() {
  const known = new Map<string, string | null>();
  const siteOf = (host: string): string | null => {
    let site = known.get(host);
    if (site === undefined) known.set(host, (site = getDomain(host, { allowPrivateDomains: true })));
    return site;
  };
  return {
    namesAnother(text: string, host: string): boolean {
      const shown = text.trim();
      const named = shown.length <= 500 ? NAMED_SITE.exec(shown)?.[1] : undefined;
      if (named === undefined) return false;
      const site = siteOf(URL.parse(`https://${named}`)?.hostname ?? '');
      // A word with a dot but without a public suffix, such as Node.js, does not name a site.
      return site !== null && isKnownSite(named) && site !== siteOf(host);
    },
  };
}

/** Names of technologies that look like sites: Node.js, ASP.NET, Socket.io. */
const TECHNOLOGY = /^[\p{L}\p{N}]{1,20}\.(?:js|net|io|ai)$/iu;
const isKnownSite = (name: string): boolean => !TECHNOLOGY.test(name);
