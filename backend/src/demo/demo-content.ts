import { ANALYSTS, HOTLIST } from './demo-documents.js';

/** The demo account's address. The top-level domain .example is reserved and receives no mail. */
export const DEMO_EMAIL = 'demo@staffcast.example';

export const FIRST_NAMES = [
  'Aisha',
  'Amit',
  'Ana',
  'Andre',
  'Anjali',
  'Ben',
  'Carla',
  'Chen',
  'Daniel',
  'Deepa',
  'Elena',
  'Farid',
  'Grace',
  'Hannah',
  'Imran',
  'Ivan',
  'Jasmin',
  'Jorge',
  'Karthik',
  'Kavya',
  'Laura',
  'Liam',
  'Maria',
  'Mei',
  'Michael',
  'Nadia',
  'Neha',
  'Omar',
  'Paula',
  'Priya',
  'Rahul',
  'Rosa',
  'Sandeep',
  'Sofia',
  'Suresh',
  'Tara',
  'Tom',
  'Usha',
  'Victor',
  'Yuki',
];

export const LAST_NAMES = [
  'Adams',
  'Agarwal',
  'Alvarez',
  'Bauer',
  'Bhatt',
  'Brooks',
  'Cohen',
  'Costa',
  'Das',
  'Diaz',
  'Evans',
  'Fischer',
  'Garcia',
  'Gupta',
  'Haddad',
  'Hughes',
  'Iyer',
  'Johnson',
  'Kapoor',
  'Kim',
  'Kumar',
  'Lopez',
  'Mehta',
  'Miller',
  'Moreno',
  'Nair',
  'Nguyen',
  'Okafor',
  'Patel',
  'Pereira',
  'Rao',
  'Reddy',
  'Rossi',
  'Sharma',
  'Silva',
  'Singh',
  'Tanaka',
  'Walsh',
  'Weber',
  'Young',
];

export const COMPANY_DOMAINS = [
  'northgate-systems.example',
  'bluepeak-it.example',
  'corewell-health.example',
  'lakeshore-bank.example',
  'meridian-staffing.example',
  'redwood-data.example',
  'summit-consulting.example',
  'harborview.example',
  'pinecrest-tech.example',
  'atlas-insurance.example',
  'brightline-retail.example',
  'cedarpoint.example',
  'deltaforge.example',
  'evergreen-energy.example',
  'foundry-apps.example',
  'granite-logistics.example',
  'highland-telecom.example',
  'ironbridge.example',
  'juniper-pay.example',
  'keystone-pharma.example',
];

/**
 * The demo account's lists. `people` is the number of people on the list, `first` the number of its first person. The
 * ranges overlap, so that some people are on two lists.
 */
export const DEMO_LISTS = [
  {
    name: 'Java and full-stack vendors',
    slug: 'java-and-full-stack-vendors',
    description: 'Prime vendors and partners who place Java, Spring and React people.',
    first: 0,
    people: 420,
  },
  {
    name: 'Prime vendors, East Coast',
    slug: 'prime-vendors-east-coast',
    description: 'Vendors with direct clients between Boston and Atlanta.',
    first: 340,
    people: 260,
  },
  {
    name: 'Healthcare IT partners',
    slug: 'healthcare-it-partners',
    description: 'Hospitals, payers and their implementation partners: Epic, HL7, claims.',
    first: 560,
    people: 140,
  },
];

/** Messages of the demo sends, used in rotation. Messages with a document were written in the rich-text editor. */
export const DEMO_MESSAGES: ({ subject: string } & ({ content: string } | { document: object }))[] = [
  { subject: 'Hotlist: four consultants from Monday', document: HOTLIST },
  {
    subject: 'Available this week: 3 senior Java developers (C2C)',
    content:
      'Hello,\n\nthese consultants are free from Monday:\n\n1. Senior Java developer, 11 years, Spring Boot, Kafka, AWS. Dallas, open to relocation.\n2. Java full-stack developer, 8 years, React, PostgreSQL. Atlanta, remote.\n3. Java architect, 15 years, payments. New Jersey, hybrid.\n\nRates and résumés on request.\n\nDana Reyes\nBrightbench Consulting',
  },
  {
    subject: 'SAP S/4HANA consultants, relocation possible',
    content:
      'Hello,\n\ntwo consultants come off a project at the end of the month:\n\n1. SAP FICO consultant, 12 years, two S/4HANA migrations. Chicago.\n2. SAP ABAP developer, 9 years, Fiori, OData. Open to relocation.\n\nDana Reyes\nBrightbench Consulting',
  },
  { subject: 'Epic and HL7 analysts for healthcare clients', document: ANALYSTS },
];
