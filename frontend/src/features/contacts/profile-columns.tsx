import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { formatDate, zoneName } from '../../lib/format';
import { contactProfilePath } from '../../lib/routes';
import type { ServerColumn } from '../../ui/grid/server-data-grid';
import { OpeningLink } from '../../ui/page/back-link';
import { StatusBadge } from '../../ui/status-badge';
import { Tag } from '../../ui/tag';
import { personName, type CustomField, type Profile } from './api';
import { columnField, columnLabels } from './column-names';
import { fieldText } from './field-values';

interface ColumnOptions {
  narrow: boolean;
  /** The columns that are shown beside the name. */
  chosen: readonly string[];
  fields: readonly CustomField[];
  tags: ReadonlyMap<number, string>;
  lists: ReadonlyMap<string, string>;
  /** Shows the contacts of one company. */
  onCompany: (domain: string) => void;
}

/** Columns: name with address, and the chosen ones. Below 768 px the first column shows all of them. */
export function profileColumns(options: ColumnOptions): ServerColumn<Profile>[] {
  const all = [...builtIn(options), ...options.fields.map(fieldColumn)];
  return all.filter(({ field }) => field === 'name' || options.chosen.includes(field));
}

const builtIn = ({ narrow, tags, lists, onCompany }: ColumnOptions): ServerColumn<Profile>[] => [
  {
    field: 'name',
    headerName: 'Name',
    flex: 1.4,
    minWidth: 150,
    renderCell: ({ row, tabIndex }) => <ProfileLink profile={row} narrow={narrow} tabIndex={tabIndex} />,
  },
  {
    field: 'company',
    headerName: columnLabels.company,
    flex: 1,
    minWidth: 130,
    hideOnMobile: true,
    renderCell: ({ row, tabIndex }) => <Company profile={row} tabIndex={tabIndex} onCompany={onCompany} />,
  },
  {
    field: 'jobTitle',
    headerName: columnLabels.jobTitle,
    flex: 0.8,
    minWidth: 110,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => row.jobTitle ?? '',
  },
  {
    field: 'lists',
    headerName: columnLabels.lists,
    flex: 0.8,
    minWidth: 110,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <FirstNames names={row.listIds.flatMap((id) => lists.get(id) ?? [])} />,
  },
  {
    field: 'tags',
    headerName: columnLabels.tags,
    flex: 0.8,
    minWidth: 110,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <FirstNames names={row.tags.flatMap((id) => tags.get(id) ?? [])} />,
  },
  {
    field: 'consent',
    headerName: columnLabels.consent,
    width: 150,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <StatusBadge status={row.consent} />,
  },
  {
    field: 'lastMailedAt',
    headerName: columnLabels.lastMailedAt,
    width: 130,
    hideOnMobile: true,
    renderCell: ({ row }) => (row.lastMailedAt ? formatDate(row.lastMailedAt) : 'Never'),
  },
  {
    field: 'createdAt',
    headerName: columnLabels.createdAt,
    width: 120,
    hideOnMobile: true,
    renderCell: ({ row }) => formatDate(row.createdAt),
  },
  textColumn('phone', columnLabels.phone, ({ phone }) => phone),
  textColumn('city', columnLabels.city, ({ city }) => city),
  textColumn('region', columnLabels.region, ({ region }) => region),
  textColumn('country', columnLabels.country, ({ country }) => country),
  textColumn('timeZone', columnLabels.timeZone, ({ timeZone }) => timeZone && zoneName(timeZone)),
];

const textColumn = (
  field: string,
  headerName: string,
  textOf: (profile: Profile) => string | null,
): ServerColumn<Profile> => ({
  field,
  headerName,
  flex: 0.7,
  minWidth: 100,
  sortable: false,
  hideOnMobile: true,
  renderCell: ({ row }) => textOf(row) ?? '',
});

const fieldColumn = ({ key, label, type }: CustomField): ServerColumn<Profile> =>
  textColumn(columnField(key), label, ({ fields }) => {
    const text = fieldText(fields[key]);
    return type === 'yes_no' && text ? (text === 'true' ? 'Yes' : 'No') : text;
  });

function ProfileLink({ profile, narrow, tabIndex }: { profile: Profile; narrow: boolean; tabIndex: 0 | -1 }) {
  const name = personName(profile);
  return (
    <Box sx={{ minWidth: 0, lineHeight: 1.3 }}>
      <Link
        component={OpeningLink}
        to={contactProfilePath(profile.id)}
        tabIndex={tabIndex}
        color="inherit"
        underline="hover"
        noWrap
        title={name || profile.email}
        sx={{ display: 'block', fontWeight: 560, fontSize: '0.875rem' }}
      >
        {name || profile.email}
      </Link>
      {name && (
        <Typography
          variant="mono"
          noWrap
          title={profile.email}
          sx={{ display: 'block', fontSize: '0.75rem', color: 'text.secondary' }}
        >
          {profile.email}
        </Typography>
      )}
      {narrow && (
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', mt: 0.5, minWidth: 0 }}>
          <StatusBadge status={profile.consent} />
          <Typography variant="caption" color="textSecondary" noWrap>
            {profile.company ?? profile.companyDomain ?? ''}
          </Typography>
        </Box>
      )}
    </Box>
  );
}

function Company({
  profile: { company, companyDomain },
  tabIndex,
  onCompany,
}: {
  profile: Profile;
  tabIndex: 0 | -1;
  onCompany: (domain: string) => void;
}) {
  if (!companyDomain) return company ?? '';
  return (
    <Link
      component="button"
      type="button"
      tabIndex={tabIndex}
      color="inherit"
      underline="hover"
      noWrap
      title={`Everyone at ${companyDomain}`}
      onClick={() => onCompany(companyDomain)}
      sx={{ font: 'inherit', maxWidth: '100%' }}
    >
      {company ?? companyDomain}
    </Link>
  );
}

const NAMES_SHOWN = 2;

function FirstNames({ names }: { names: readonly string[] }) {
  return (
    <Box sx={{ display: 'flex', gap: 0.5, overflow: 'hidden' }} title={names.join(', ')}>
      {names.slice(0, NAMES_SHOWN).map((name) => (
        <Tag key={name}>{name}</Tag>
      ))}
      {names.length > NAMES_SHOWN && <Tag>{`+${names.length - NAMES_SHOWN}`}</Tag>}
    </Box>
  );
}
