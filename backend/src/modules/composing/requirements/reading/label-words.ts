/** What a label announces: a part of a job, or something that ends the value before it. */
export const LABEL_FIELDS = [
  'title',
  'subject',
  'client',
  'location',
  'mode',
  'rate',
  'terms',
  'duration',
  'start',
  'authorization',
  'experience',
  'required',
  'preferred',
  'interview',
  'deadline',
  'jobId',
  'description',
  'other',
] as const;
export type LabelField = (typeof LABEL_FIELDS)[number];

/** Labels as vendors write them, in words of lower case. */
export const LABELS: Readonly<Record<LabelField, readonly string[]>> = {
  title: [
    'title', 'job title', 'role', 'job role', 'role title', 'position', 'position title', 'job position', 'role name', 'position name',
    'requirement', 'job requirement', 'opening', 'job opening', 'designation', 'hiring for', 'need', 'urgent need', 'urgent requirement',
    'job', 'job name', 'req', 'title of position', 'open position', 'open role', 'posting title', 'requisition title', 'role position',
    'position role', 'title role', 'looking for', 'hiring', 'now hiring', 'immediate need', 'hot requirement', 'new requirement', 'labor category',
    'job title role', 'direct client requirement', 'immediate requirement', 'profile',
  ],
  subject: ['subject', 'sub', 'subj', 're', 'fw', 'fwd'],
  client: [
    'client', 'end client', 'client name', 'end client name', 'customer', 'company', 'employer', 'company name', 'organization', 'hiring company',
    'direct client', 'final client', 'agency', 'state client', 'end customer',
  ],
  location: [
    'location', 'loc', 'job location', 'work location', 'location s', 'locations', 'place', 'city', 'place of work', 'location city state', 'client location',
    'site', 'work site', 'worksite', 'office location', 'job site', 'city state', 'project location', 'place of performance', 'base location', 'onsite location',
    'work address', 'location of work', 'role location', 'position location', 'primary location', 'duty station',
  ],
  mode: [
    'work mode', 'mode', 'work type', 'workplace type', 'remote', 'onsite remote', 'remote onsite', 'work model', 'work arrangement', 'remote option', 'work setting',
    'mode of work', 'working model', 'onsite or remote', 'remote or onsite', 'work style', 'onsite hybrid remote', 'remote hybrid onsite', 'workplace', 'location type', 'telework', 'hybrid',
  ],
  rate: [
    'rate', 'pay rate', 'bill rate', 'billing rate', 'max rate', 'hourly rate', 'rates', 'salary', 'budget', 'compensation', 'pay', 'rate range', 'pay range',
    'salary range', 'c2c rate', 'w2 rate', 'target rate', 'max bill rate', 'rate on c2c', 'rate c2c', 'rate hr', 'all inclusive rate', 'client rate', 'base salary',
    'annual salary', 'max pay rate', 'comp', 'pay scale', 'remuneration', 'rate w2', 'max rate on c2c', 'price', 'max budget', 'package',
  ],
  terms: [
    'terms', 'employment type', 'job type', 'type', 'contract type', 'tax term', 'tax terms', 'employment', 'position type', 'hire type', 'engagement', 'engagement type',
    'tax type', 'type of hire', 'type of employment', 'employment terms', 'job nature', 'mode of employment', 'mode of hire', 'hiring type', 'type of contract', 'pay type', 'term type',
  ],
  duration: [
    'duration', 'contract duration', 'contract length', 'length', 'project duration', 'term', 'contract', 'contract term', 'assignment length', 'tenure', 'contract period',
    'project length', 'period', 'assignment duration', 'length of contract', 'duration of contract', 'time frame', 'length of assignment', 'job duration', 'period of performance', 'duration type',
  ],
  start: ['start', 'start date', 'starts', 'starting', 'expected start', 'expected start date', 'tentative start date', 'project start', 'project start date', 'anticipated start', 'joining', 'joining date', 'date of joining', 'anticipated start date', 'start dt', 'target start date', 'target start', 'eta'],
  authorization: [
    'visa', 'visa status', 'work authorization', 'work auth', 'work authorisation', 'work authorizations', 'visa type', 'visas', 'citizenship', 'work permit', 'authorization', 'visa requirement',
    'visa requirements', 'legal status', 'immigration status', 'work status', 'visa restrictions', 'visa restriction', 'acceptable visa', 'visa accepted', 'visas accepted', 'employment eligibility',
    'visa types', 'sponsorship', 'work eligibility', 'visa candidates', 'citizenship status', 'acceptable visas', 'authorized to work', 'status', 'eligible visas',
  ],
  experience: ['experience', 'exp', 'years of experience', 'total experience', 'overall experience', 'experience required', 'required experience', 'exp level', 'yrs of exp', 'total exp', 'years of exp', 'min experience', 'minimum experience', 'experience level', 'exp required', 'total it experience', 'years', 'total years of experience', 'overall exp', 'minimum years', 'yoe', 'experience years', 'it experience', 'min exp', 'minimum years of experience', 'seniority'],
  required: [
    'skills', 'skill', 'required skills', 'required skill', 'must have', 'must have skills', 'must haves', 'mandatory skills', 'mandatory skill', 'mandatory', 'primary skills', 'primary skill', 'key skills', 'top skills', 'top 3 skills',
    'top 5 skills', 'technical skills', 'tech stack', 'technologies', 'requirements', 'required qualifications', 'qualifications', 'minimum qualifications', 'basic qualifications', 'skill set', 'skillset', 'skills required',
    'job requirements', 'core skills', 'required', 'skills must have', 'must have skill', 'technical requirements', 'minimum requirements', 'technology', 'tools', 'skills needed', 'essential skills', 'skills matrix',
    'top must have skills', 'what you need', 'what we are looking for', 'what you bring', 'who you are', 'mandatory requirements', 'required skills experience', 'skills experience', 'skills and experience', 'hard skills', 'environment', 'stack',
    'experience and skills', 'must have experience', 'required experience and skills', 'tools technologies', 'candidate must have', 'top skill', 'required technical skills', 'key requirements', 'key skills required', 'primary', 'skills qualifications', 'must',
  ],
  preferred: [
    'nice to have', 'nice to haves', 'nice to have skills', 'preferred', 'preferred skills', 'preferred qualifications', 'good to have', 'good to have skills', 'plus', 'pluses', 'desired skills', 'desired', 'desired qualifications', 'secondary skills',
    'secondary skill', 'bonus', 'bonus points', 'optional', 'optional skills', 'additional skills', 'preferred experience', 'a plus', 'big plus', 'added advantage', 'advantage', 'nice', 'desirable', 'desirable skills', 'highly desired', 'would be a plus', 'highly preferred', 'nice 2 have', 'secondary',
  ],
  interview: ['interview', 'interview mode', 'mode of interview', 'interview type', 'interview process', 'interviews', 'interview method', 'type of interview', 'interview rounds', 'interview format'],
  deadline: ['deadline', 'submission deadline', 'closing date', 'due date', 'last date', 'submit by', 'submissions due', 'due', 'response due', 'last day to submit', 'end date for submission', 'valid through', 'apply by', 'submittal deadline', 'responses due', 'resume due', 'cut off', 'close date', 'respond by', 'last date of submission', 'resume due date', 'submission due date', 'need profiles by', 'reply by', 'send by'],
  jobId: ['job id', 'req id', 'requisition id', 'requisition', 'requisition number', 'job code', 'job number', 'req number', 'position id', 'reference', 'ref', 'ref id', 'reference id', 'jo', 'job order', 'requirement id', 'solicitation', 'solicitation number', 'opening id', 'posting id', 'job ref', 'reference number', 'rfq', 'rto', 'ticket', 'req no', 'job no', 'jr', 'id', 'vms id', 'work order', 'job reference', 'ref no', 'job order id'],
  description: [
    'description', 'job description', 'jd', 'responsibilities', 'roles and responsibilities', 'roles responsibilities', 'role responsibilities', 'duties', 'job duties', 'job summary', 'summary', 'overview', 'about the role', 'role description',
    'project description', 'key responsibilities', 'job responsibilities', 'position summary', 'role summary', 'position description', 'day to day', 'what you will do', "what you'll do", 'duties and responsibilities', 'essential duties', 'about the job',
    'role overview', 'job overview', 'project', 'project details', 'details', 'job details', 'project overview', 'scope of work', 'short description', 'complete description', 'duties responsibilities', 'roles', 'position overview', 'about the project', 'main duties',
    'your role', 'the role', 'day to day responsibilities', 'primary responsibilities', 'role and responsibilities', 'requirement details', 'daily duties', 'work description', 'task', 'tasks', 'what they will do',
  ],
  other: [
    'number of openings', 'openings', 'no of positions', 'number of positions', 'positions', 'vacancies', 'headcount', 'vendor', 'prime vendor', 'implementation partner', 'implementer', 'partner', 'industry', 'domain', 'shift', 'hours',
    'work hours', 'working hours', 'hours per week', 'education', 'degree', 'certifications', 'certification', 'travel', 'note', 'notes', 'please note', 'important', 'important note', 'contact', 'phone', 'email', 'e mail', 'call', 'fax', 'mobile', 'cell', 'linkedin', 'website', 'web',
    'recruiter', 'manager', 'hiring manager', 'department', 'from', 'sent', 'to', 'cc', 'date', 'posted', 'priority', 'background check', 'drug test', 'bgc', 'clearance', 'security clearance', 'benefits', 'why this role', 'about us', 'about the client', 'about the company',
    'interview location', 'time zone', 'timezone', 'language', 'languages', 'submission format', 'submission details', 'please share', 'please send', 'please provide', 'full name', 'name', 'legal name', 'candidate name', 'current location', 'contact number', 'availability', 'relocation', 'dob', 'last 4 ssn', 'linkedin url', 'expected rate', 'documents', 'references', 'team size', 'reporting to',
    'source', 'category', 'level', 'grade', 'contract vehicle', 'soft skills', 'dress code', 'laptop', 'equipment', 'overtime', 'per diem', 'expenses', 'current visa status', 'best time to reach', 'skype id', 'candidate location', 'attachments', 'importance', 'work week', 'schedule', 'submission', 'reason for opening', 'bcc', 'reply to', 'good luck',
  ],
};

/** What a section may fill over several lines. */
export const SECTIONS: ReadonlySet<LabelField> = new Set(['required', 'preferred', 'description']);
