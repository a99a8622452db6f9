/** A local time in a time zone. */
export interface LocalTime {
  /** YYYY-MM-DDTHH:mm; '' while date or time is incomplete. */
  at: string;
  /** IANA name */
  timeZone: string;
  /** True for the second occurrence of a time that occurs twice, when clocks go back. */
  later: boolean;
}

/** Props of the fields of a date and a time. */
export interface TimeFieldsProps {
  value: LocalTime;
  onChange: (value: LocalTime) => void;
  /** The user's own time zone. */
  ownZone: string;
  /** Whether the button was pressed, so that missing input is reported. */
  isAsked?: boolean;
  disabled?: boolean;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  formats.set(timeZone, made);
  return made;
}

/** 'Tue, Dec 1, 9:00 AM CST' for an instant in a time zone. */
export const zonedTime = (iso: string, timeZone: string): string =>
  formatOf(timeZone).format(new Date(iso)).replaceAll('\u202f', ' ');
