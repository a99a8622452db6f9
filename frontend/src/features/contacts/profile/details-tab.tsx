import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import Link from '@mui/material/Link';
import { client } from '../../../api/client';
import { settingsPath } from '../../../lib/routes';
import { FieldGrid } from '../../../ui/form/text-field';
import { QueryError } from '../../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../../ui/loading/skeletons';
import { messages, type CustomField, type ProfileChange, type ProfileDetail } from '../api';
import { fieldChoices, fieldHint, fieldText, fieldValue, MAX_LENGTHS } from '../field-values';
import { AutoSaveField } from './auto-save-field';
import { TagsField } from './tags-field';
import { zoneName } from '../../../lib/format';

/** Text fields of every contact, in the order of the screen. */
const texts = [
  { key: 'firstName', label: 'First name', max: 100 },
  { key: 'lastName', label: 'Last name', max: 100 },
  { key: 'company', label: 'Company', max: 200 },
  { key: 'jobTitle', label: 'Job title', max: 200 },
  { key: 'phone', label: 'Phone', max: 50 },
  { key: 'city', label: 'City', max: 100 },
  { key: 'region', label: 'State or region', max: 100 },
  { key: 'country', label: 'Country', max: 2 },
] as const satisfies readonly { key: keyof ProfileChange & keyof ProfileDetail; label: string; max: number }[];

const zones = Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: zoneName(value) }));

/** All fields of a person; each one saves when it loses the focus. */
export function DetailsTab({ profile }: { profile: ProfileDetail }) {
  const [update] = client.useUpdateProfileMutation();
  const save = (change: ProfileChange) => update({ id: profile.id, updateProfileDto: change }).unwrap();
  return (
    <Box sx={{ display: 'grid', gap: 2.5 }}>
      <Paper variant="outlined" sx={{ p: { xs: 2, sm: 2.5 } }}>
        <FieldGrid>
          {texts.map(({ key, label, max }) => (
            <AutoSaveField
              key={key}
              label={label}
              value={profile[key] ?? ''}
              maxLength={max}
              hint={hintOf(key, profile)}
              onSave={(value) => save({ [key]: value || null })}
            />
          ))}
          <AutoSaveField
            label="Time zone"
            value={profile.timeZone ?? ''}
            choices={[{ value: '', label: 'Not known' }, ...withKept(profile.timeZone)]}
            onSave={(value) => save({ timeZone: value || null })}
          />
          <TagsField ids={profile.tags} onSave={(tags) => save({ tags })} />
        </FieldGrid>
      </Paper>
      <OwnFields profile={profile} onSave={(key, value) => save({ fields: { [key]: value } })} />
    </Box>
  );
}

function hintOf(key: (typeof texts)[number]['key'], { phone, phoneE164 }: ProfileDetail): string | undefined {
  if (key === 'country') return 'Two letters, such as US';
  if (key === 'phone' && phone) return phoneE164 ?? 'Kept as typed: it could not be read as a phone number';
  return undefined;
}

/** The zones of this browser, and the stored zone if the browser does not know it. */
const withKept = (zone: string | null) =>
  zone && !zones.some(({ value }) => value === zone) ? [{ value: zone, label: zone }, ...zones] : zones;

interface OwnFieldsProps {
  profile: ProfileDetail;
  onSave: (key: string, value: unknown) => Promise<unknown>;
}

/** The fields that the account added to its contacts. */
function OwnFields({ profile, onSave }: OwnFieldsProps) {
  const query = client.useListContactFieldsQuery();
  const { data, error } = query;
  if (error && !data) return <QueryError query={query} text={messages.oneFailed} />;
  if (!data) {
    return (
      <LoadingRegion label="Loading fields">
        <RowSkeletons count={2} height={56} />
      </LoadingRegion>
    );
  }
  return (
    <Paper variant="outlined" component="section" aria-label="Own fields" sx={{ p: { xs: 2, sm: 2.5 } }}>
      {data.length === 0 ? (
        <Typography color="textSecondary">
          Fields of your own, such as a visa status, are added in the{' '}
          <Link component={RouterLink} to={settingsPath('fields')} color="inherit">
            settings
          </Link>
          .
        </Typography>
      ) : (
        <FieldGrid>
          {data.map((field) => (
            <OwnField
              key={field.id}
              field={field}
              value={profile.fields[field.key]}
              onSave={(value) => onSave(field.key, value)}
            />
          ))}
        </FieldGrid>
      )}
    </Paper>
  );
}

interface OwnFieldProps {
  field: CustomField;
  value: unknown;
  onSave: (value: unknown) => Promise<unknown>;
}

const inputs: Partial<Record<CustomField['type'], 'date' | 'url'>> = { date: 'date', url: 'url' };

function OwnField({ field, value, onSave }: OwnFieldProps) {
  const { label, type } = field;
  return (
    <AutoSaveField
      label={label}
      value={fieldText(value)}
      choices={fieldChoices(field)}
      type={inputs[type]}
      inputMode={type === 'number' ? 'decimal' : undefined}
      maxLength={MAX_LENGTHS[type]}
      hint={fieldHint(field)}
      onSave={(text) => onSave(fieldValue(type, text))}
    />
  );
}
