const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** '12K', for the axes of charts. Not part of format.ts, which every screen loads. */
export const formatShort = (value: number): string => compact.format(value);
