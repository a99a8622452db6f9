import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import type { KindSettingDto, NotificationSettingsDto } from '../../api/endpoints.gen';
import { FilterSelect } from '../../ui/form/filter-select';
import { QueryError } from '../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../ui/loading/skeletons';
import { useToast } from '../../ui/toast/toast';
import { messages } from './api';
import { kindNames } from './kinds';
import { zoneName } from '../../lib/format';

const mailChoices = [
  { value: 'now', label: 'At once' },
  { value: 'summary', label: 'In the daily summary' },
  { value: 'never', label: 'Never' },
] as const;

/** '8 AM' */
const hourText = (hour: number) => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;
const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour) }));

type Change = Partial<Pick<NotificationSettingsDto, 'summaryHour'>> & { kinds?: KindSettingDto[]; mailAgain?: true };

/**
 * Saves a change. `pending` is the change being saved: it is shown at once, and replaced by the stored value if saving
 * fails.
 */
function useChange({ summaryHour }: NotificationSettingsDto) {
  const [change, { isLoading, originalArgs }] = client.useChangeNotificationSettingsMutation();
  const toast = useToast();
  const save = (wanted: Change) =>
    void change({ changeNotificationSettingsDto: { summaryHour, kinds: [], ...wanted } })
      .unwrap()
      .catch((error: unknown) =>
        toast({
          title: messages.notSaved,
          description: errorMessage(error, messages.tryAgain),
          variant: 'destructive',
        }),
      );
  return { save, pending: isLoading ? originalArgs?.changeNotificationSettingsDto : undefined };
}

/** Which notifications the user gets, in the app and by mail. Each choice is saved at once. */
export function NotificationSettings() {
  const query = client.useGetNotificationSettingsQuery();
  const { data, error } = query;
  if (error && !data) return <QueryError query={query} text={messages.settingsFailed} />;
  if (!data)
    return (
      <LoadingRegion label="Loading notification settings">
        <RowSkeletons count={4} height={56} />
      </LoadingRegion>
    );
  return (
    <>
      {data.mailIsOff && <MailIsOff settings={data} />}
      <Box component="ul" aria-label="Kinds of notifications" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data.kinds.map((setting) => (
          <KindRow key={setting.kind} setting={setting} settings={data} />
        ))}
      </Box>
      <SummaryHour settings={data} />
    </>
  );
}

function MailIsOff({ settings }: { settings: NotificationSettingsDto }) {
  const { save, pending } = useChange(settings);
  return (
    <Alert
      severity="warning"
      action={
        <Button size="small" color="inherit" loading={Boolean(pending)} onClick={() => save({ mailAgain: true })}>
          {messages.mailAgain}
        </Button>
      }
    >
      {messages.mailOff}
    </Alert>
  );
}

function KindRow({ setting, settings }: { setting: KindSettingDto; settings: NotificationSettingsDto }) {
  const { save, pending } = useChange(settings);
  const shown = pending?.kinds[0] ?? setting;
  const name = kindNames[setting.kind];
  return (
    <Box
      component="li"
      aria-label={name}
      sx={{
        display: 'grid',
        gap: { xs: 0.5, sm: 2 },
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'minmax(0, 1fr) auto 210px' },
        alignItems: 'center',
        py: 1.25,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Box>
        <Typography sx={{ fontWeight: 560 }}>{name}</Typography>
        {setting.kind === 'send.finished' && (
          <Typography variant="body2" color="textSecondary">
            The summary names sends that took more than 10 minutes.
          </Typography>
        )}
      </Box>
      <FormControlLabel
        label="In the app"
        control={
          <Switch
            checked={shown.inApp}
            onChange={(_event, inApp) => save({ kinds: [{ ...shown, inApp }] })}
            slotProps={{ input: { 'aria-label': `${name}: in the app` } }}
          />
        }
      />
      <FilterSelect
        label="By mail"
        value={shown.mail}
        choices={mailChoices}
        onChange={(mail) => save({ kinds: [{ ...shown, mail }] })}
      />
    </Box>
  );
}

function SummaryHour({ settings }: { settings: NotificationSettingsDto }) {
  const { save, pending } = useChange(settings);
  const { timeZone } = settings;
  return (
    <Box
      sx={{
        display: 'flex',
        gap: 2,
        alignItems: 'center',
        flexWrap: 'wrap',
        borderTop: 1,
        borderColor: 'divider',
        pt: 2,
      }}
    >
      <Box sx={{ width: 210 }}>
        <FilterSelect
          label="Daily summary at"
          value={String(pending?.summaryHour ?? settings.summaryHour)}
          choices={hours}
          onChange={(hour) => save({ summaryHour: Number(hour) })}
        />
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 14rem' }}>
        Your time zone: {zoneName(timeZone)}. Nothing unread, no mail.
      </Typography>
    </Box>
  );
}
