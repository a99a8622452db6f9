/** Domains of free-mail providers. An address at one of them does not identify a company. */
export const FREE_MAIL_DOMAINS: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com outlook.com outlook.in hotmail.com hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es hotmail.ca live.com
   live.co.uk live.in live.ca live.fr live.nl msn.com passport.com windowslive.com yahoo.com yahoo.co.in yahoo.in yahoo.co.uk yahoo.ca yahoo.fr
   yahoo.de yahoo.it yahoo.es yahoo.com.au yahoo.com.br yahoo.co.jp yahoo.com.ph yahoo.com.sg ymail.com rocketmail.com aol.com aol.co.uk aim.com
   verizon.net icloud.com me.com mac.com proton.me protonmail.com protonmail.ch pm.me tutanota.com tuta.io tuta.com gmx.com gmx.net gmx.de gmx.at
   gmx.ch web.de freenet.de t-online.de mail.com email.com usa.com consultant.com post.com mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com
   ya.ru rambler.ru ukr.net zoho.com zohomail.com zohomail.in rediffmail.com rediff.com indiatimes.com sify.com fastmail.com fastmail.fm hey.com
   hushmail.com lycos.com excite.com juno.com netzero.net netscape.net earthlink.net mindspring.com comcast.net att.net sbcglobal.net bellsouth.net
   pacbell.net cox.net charter.net spectrum.net optonline.net frontier.com frontiernet.net windstream.net centurylink.net embarqmail.com q.com
   roadrunner.com rr.com twc.com rogers.com shaw.ca sympatico.ca bell.net telus.net videotron.ca btinternet.com virginmedia.com sky.com talktalk.net
   ntlworld.com blueyonder.co.uk orange.fr wanadoo.fr free.fr sfr.fr laposte.net libero.it virgilio.it alice.it tiscali.it terra.com.br uol.com.br
   bol.com.br qq.com 163.com 126.com sina.com sohu.com foxmail.com naver.com daum.net hanmail.net bigpond.com optusnet.com.au xtra.co.nz
   telenet.be skynet.be ziggo.nl kpnmail.nl planet.nl wp.pl o2.pl onet.pl interia.pl seznam.cz centrum.cz abv.bg duck.com mozmail.com
   privaterelay.appleid.com`.split(/\s+/),
);
