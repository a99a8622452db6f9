/** Column headers of a person in exported files. */
export const PERSON_HEADER = [
  'email',
  'first name',
  'last name',
  'company',
  'company domain',
  'job title',
  'phone',
  'city',
  'region',
  'country',
  'time zone',
  'tags',
] as const;

/** SQL expressions of the cells of a profile `p`, in the order of PERSON_HEADER. */
export const PERSON_CELLS = `p.email, p.first_name, p.last_name, p.company, p.company_domain, p.job_title, p.phone, p.city, p.region, p.country, p.time_zone,
  (select string_agg(t.name, '; ' order by t.name) from contact_tags t where t.id = any (p.tag_ids) and t.owner_id = p.owner_id)`;
