import type { Control, FieldPathByValue } from 'react-hook-form';
import { z } from 'zod';
import { optionalText } from '../lib/zod-texts';
import type { SenderProfile } from './sender-profile';
import { FieldGrid, TextField } from '../ui/form/text-field';

const MAX_FIELD_LENGTH = 200;

/** The six parts of a business address. */
export interface AddressValues {
  addressLine1: string;
  addressLine2: string;
  city: string;
  region: string;
  postalCode: string;
  country: string;
}

export const addressShape = {
  addressLine1: optionalText(MAX_FIELD_LENGTH),
  addressLine2: optionalText(MAX_FIELD_LENGTH),
  city: optionalText(MAX_FIELD_LENGTH),
  region: optionalText(MAX_FIELD_LENGTH),
  postalCode: optionalText(MAX_FIELD_LENGTH),
  country: optionalText(MAX_FIELD_LENGTH),
};

/** The errors for missing parts of an address, by field. @param required whether an empty address is an error too */
export function missingParts(
  values: AddressValues,
  required: boolean,
): { path: keyof AddressValues; message: string }[] {
  const { addressLine1, city, region, postalCode, country } = values;
  if (!required && !Object.keys(addressShape).some((name) => values[name as keyof AddressValues])) return [];
  const missing: ReturnType<typeof missingParts> = [];
  if (!addressLine1) missing.push({ path: 'addressLine1', message: 'Street address is required' });
  if (!city) missing.push({ path: 'city', message: 'City is required' });
  if (!region && !country) missing.push({ path: 'region', message: 'State or country is required' });
  if (!postalCode) missing.push({ path: 'postalCode', message: 'Postal code is required' });
  return missing;
}

/** A check for a form's schema that reports missing parts under their fields. */
export const checkAddress =
  (required: boolean) =>
  (values: AddressValues, context: z.RefinementCtx): void => {
    for (const { path, message } of missingParts(values, required))
      context.addIssue({ code: 'custom', path: [path], message });
  };

export const addressSchema = (required: boolean) => z.object(addressShape).superRefine(checkAddress(required));

export const addressOf = (profile: SenderProfile | undefined): AddressValues => ({
  addressLine1: profile?.addressLine1 ?? '',
  addressLine2: profile?.addressLine2 ?? '',
  city: profile?.city ?? '',
  region: profile?.region ?? '',
  postalCode: profile?.postalCode ?? '',
  country: profile?.country ?? '',
});

/** The fields of a business address. */
export function AddressFields<Values extends AddressValues>({ control }: { control: Control<Values> }) {
  const field = (name: keyof AddressValues) => ({
    control,
    name: name as FieldPathByValue<Values, string | undefined>,
    maxLength: MAX_FIELD_LENGTH,
  });
  return (
    <FieldGrid>
      <TextField
        {...field('addressLine1')}
        label="Street address"
        autoComplete="address-line1"
        helperText="Street address, PO box registered with USPS, or a registered private mailbox"
      />
      <TextField {...field('addressLine2')} label="Second line" optional autoComplete="address-line2" />
      <TextField {...field('city')} label="City" autoComplete="address-level2" />
      <TextField {...field('region')} label="State" autoComplete="address-level1" />
      <TextField {...field('postalCode')} label="Postal code" autoComplete="postal-code" />
      <TextField {...field('country')} label="Country" optional autoComplete="country-name" />
    </FieldGrid>
  );
}
