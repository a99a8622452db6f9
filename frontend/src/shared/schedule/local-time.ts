/** A minute of a place. */
export interface LocalTime {
  /** YYYY-MM-DDTHH:mm; '' while no whole time is entered. */
  at: string;
  /** IANA name */
  timeZone: string;
  /** Of a time that comes twice, when clocks go back, the second one. */
  later: boolean;
}

/** What the fields of a date and a time are given. */
export interface TimeFieldsProps {
  value: LocalTime;
  onChange: (value: LocalTime) => void;
  /** The user's own time zone. */
  ownZone: string;
  /** The time was asked for, by a press of the button: what is missing is said. */
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

/** 'Tue, Dec 1, 9:00 AM CST' of an instant, in a zone. */
export const zonedTime = (iso: string, timeZone: string): string =>
  formatOf(timeZone).format(new Date(iso)).replaceAll('\u202f', ' ');
