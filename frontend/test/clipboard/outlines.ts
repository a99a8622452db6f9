/** The expected result for each fixture in test/clipboard, one line per block. */
export const outlines: Record<string, string> = {
  'word/win-bullets.html': `
Hello Priya,
Must have skills:
bulletList
  - Java 17 and Spring Boot
  - AWS
    bulletList
      - Lambda and <b>Step Functions</>
        bulletList
          - Version 3 runtime
      - RDS
  - Kafka
Best regards,`,
  'word/win-numbers.html': `
How we work
orderedList
  - Send the resume
  - We call the consultant
    orderedList
      - about the rate
      - about notice
        orderedList
          - two weeks at most
          - never more
  - Interview`,
  'word/win-table.html': `
h1 Bench of this week
All available now, see below.
table
  TH Name | TH Title | TH Location | TH Visa | TH Rate
  Asha R. | Java Lead | Dallas, TX | H1B | $72/hr
  Tom B. | .NET Developer | Remote | USC | $65/hr
  Mei L. | Data Engineer | Austin, TX | GC | $70/hr`,
  'word/win-restart.html': `
Round one
orderedList
  - Phone
  - Video
Round two, which goes on
orderedList 3
  - Onsite
Bring
bulletList
  - An ID
  - A laptop`,
  'word/mac-bullets.html': `
Skills, in order:
bulletList
  - React 19
  - TypeScript
    bulletList
      - strict mode
  - Node.js`,
  'word/mac-parentheses.html': `
Please send:
orderedList
  - the resume
  - a copy of the visa
    orderedList
      - front
      - back
  - two references
Thank you`,
  'word/libreoffice-writer.html': `
Our offer
orderedList
  - Contract
  - Terms
    bulletList
      - <b>Net 30</>
center: Regards`,
  'outlook/win-hotlist.html': `
Hi Marco,
These consultants are available now:
table
  TH Name | TH Title | TH Location | TH Visa | TH Rate
  Asha R. | Java Lead | Dallas, TX | H1B | $72/hr
  Tom B. | .NET Developer | Remote | USC | $65/hr
  Mei L. | Data Engineer | Austin, TX | GC | $70/hr
  Raj P. | QA Lead | Hartford, CT | H4 EAD | $58/hr
  Ana S. | SAP FICO | Relocates | H1B | $80/hr
All of them have:
bulletList
  - own transport
  - references
Best,
<b>Dana Whitfield</>/Northline Staffing
<a:https://northline.example/jobs>northline.example</>`,
  'outlook/win-numbers-logo.html': `
Next steps:
orderedList
  - Rate confirmation
  - RTR by mail
  - Submission
<b>Dana Whitfield</>/Northline Staffing
<a:https://northline.example/jobs>northline.example</>`,
  'outlook/win-signature.html': `
Two Java leads are free from Monday.
Best regards,
<b>Dana Whitfield</>
Senior Recruiter | Northline Staffing
M <a:tel:+18605550142>860 555 0142</> | <a:mailto:dana@northline.example>dana@northline.example</>
<a:https://northline.example/>northline.example</>`,
  'outlook/win-reply.html': `
Yes, still open. See below.
<b>From:</> Ana Lima <ana@vendor.example>/<b>Sent:</> Friday, November 20, 2026 9:12 AM/<b>Subject:</> Java lead
Is the <i>Java lead</> role open?`,
  'outlook/mac-skills.html': `
Hello,
Looking for:
bulletList
  - Terraform
  - Kubernetes
    bulletList
      - EKS`,
  'outlook/mac-table.html': `
Two on the bench:
table
  TH Name | TH Title | TH Location | TH Visa | TH Rate
  Asha R. | Java Lead | Dallas, TX | H1B | $72/hr
  Tom B. | .NET Developer | Remote | USC | $65/hr
Regards`,
  'outlook/web-note.html': `
Hi all,
We need, <b>by Friday</>:
bulletList
  - a Java lead
  - two testers
    bulletList
      - one with Selenium
Write to <a:mailto:dana@northline.example>dana@northline.example</>`,
  'outlook/web-table.html': `
Bench:
table
  TH Name | TH Title | TH Location
  Asha R. | Java Lead | Dallas, TX
  Tom B. | .NET Developer | Remote`,
  'outlook/web-from-word.html': `
Requirements
bulletList
  - Ten years
  - Banking`,
  'webmail/gmail-note.html': `
Hi there,
Two roles <b>today</>:
bulletList
  - Java, Dallas
  - .NET, <i>remote</>
    bulletList
      - 12 months
Reply with <u>rates</>.`,
  'webmail/gmail-signature.html': `
Please see the role below.
<b>Lee Chan</>
Vendor Inc.
<a:https://vendor.example>vendor.example</>
On Fri, Nov 20, 2026 at 9:12 AM Ana wrote:
blockquote
  Is it open?`,
  'webmail/docs-lists.html': `
<b>What we look for</>
bulletList
  - Snowflake
  - Python
    bulletList
      - pandas
orderedList
  - Call
  - Test
See <a:https://northline.example/jobs>the posting</>`,
  'webmail/docs-table.html': `
h2 Bench
table
  TH Name | TH Title | TH Location
  Asha R. | Java Lead | Dallas, TX
  Tom B. | .NET Developer | Remote`,
  'webmail/apple-mail.html': `
Hi,
the consultant has
bulletList
  - eight years of Java
  - a <b>green card</>
Thanks`,
  'sheets/excel-win.html': `
table
  TH Name | TH Title | TH Location | TH Visa | TH Rate
  Asha R. | Java Lead | Dallas, TX | H1B | $72/hr
  Tom B. | .NET Developer | Remote | USC | $65/hr
  Mei L. | Data Engineer | Austin, TX | GC | $70/hr
  Raj P. | QA Lead | Hartford, CT | H4 EAD | $58/hr
  Ana S. | SAP FICO | Relocates | H1B | $80/hr`,
  'sheets/excel-mac-merged.html': `
table
  TH Client | TH (c2) Rates
  (r2) Acme | C2C | 72
  W2 | 60`,
  'sheets/google-sheets.html': `
table
  TH Name | TH Title | TH Location
  Asha R. | Java Lead | Dallas, TX
  Tom B. | .NET Developer | Remote
  Mei L. | Data Engineer | Austin, TX`,
  'sheets/libreoffice-calc.html': `
table
  TH Name | TH Title | TH Location
  Asha R. | Java Lead | Dallas, TX
  Tom B. | .NET Developer | Remote`,
};
