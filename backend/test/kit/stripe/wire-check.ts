import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import Stripe from 'stripe';
import type { Exchange } from '../../../stripe-simulator/server.ts';

const SCRIPT = join(import.meta.dirname, '../../../stripe-simulator/schema.ts');

type Row = Record<string, unknown>;
interface Schemas {
  definitions: Record<string, object>;
  roots: Record<string, { $ref: string }>;
}

/** SDK type of each kind of object, by the value of its field `object`. */
const TYPES: Record<string, string> = {
  customer: 'Customer',
  product: 'Product',
  price: 'Price',
  subscription: 'Subscription',
  invoice: 'Invoice',
  invoice_payment: 'InvoicePayment',
  payment_intent: 'PaymentIntent',
  payment_method: 'PaymentMethod',
  charge: 'Charge',
  refund: 'Refund',
  dispute: 'Dispute',
  customer_balance_transaction: 'CustomerBalanceTransaction',
  'billing_portal.session': 'BillingPortal.Session',
  'billing_portal.configuration': 'BillingPortal.Configuration',
  'test_helpers.test_clock': 'TestHelpers.TestClock',
  event: 'EventBase',
};
const DELETED: Record<string, string> = {
  customer: 'DeletedCustomer',
  'test_helpers.test_clock': 'TestHelpers.DeletedTestClock',
};

/** Schemas of the SDK's types. Built once per SDK version and cached for other suites. */
function schemas(): Schemas {
  const version = createHash('sha256')
    .update(Stripe.PACKAGE_VERSION)
    .update(readFileSync(SCRIPT))
    .digest('hex')
    .slice(0, 16);
  const file = join(tmpdir(), `staffcast-stripe-schema-${version}.json`);
  if (!existsSync(file)) {
    const fresh = `${file}.${process.pid}`;
    writeFileSync(
      fresh,
      execFileSync(process.execPath, [SCRIPT], { maxBuffer: 20_000_000, stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    renameSync(fresh, file);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Schemas;
}

/** Validates the simulator's responses against the SDK's types. */
export class WireCheck {
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly roots: Schemas['roots'];
  readonly faults = new Set<string>();
  checked = 0;

  constructor() {
    const { definitions, roots } = schemas();
    this.roots = roots;
    this.ajv.addSchema({ $id: 'stripe', definitions });
  }

  exchange({ method, path, status, body }: Exchange): void {
    const { error } = body as { error?: { code?: string; message?: string; type?: string } };
    if (status >= 400 && !error?.type) this.faults.add(`${method} ${path}: ${status} without an error member`);
    if (error?.code === 'parameter_unknown' || error?.message?.startsWith('Unrecognized request URL'))
      this.faults.add(`${method} ${path}: ${error.message}`);
    if (status < 300) this.object(body as Row, `${method} ${path.replace(/[a-z]+_\w{20,}/g, ':id')}`);
  }

  object(row: Row, where: string): void {
    if (row.object === 'list') return (row.data as Row[]).forEach((each) => this.object(each, where));
    const type = row.deleted === true ? DELETED[String(row.object)] : TYPES[String(row.object)];
    if (!type) return void this.faults.add(`${where}: an object that calls itself ${String(row.object)}`);
    const validate = this.validatorOf(type);
    this.checked += 1;
    const isRight = validate(type === 'EventBase' ? { ...row, data: { object: {} } } : row);
    if (!isRight)
      for (const { instancePath, message, params } of validate.errors ?? [])
        this.faults.add(`${where}: ${type}${instancePath} ${message} ${JSON.stringify(params)}`);
    if (type === 'EventBase') this.object((row.data as { object: Row }).object, `event ${String(row.type)}`);
  }

  private validatorOf(type: string): ValidateFunction {
    const known = this.validators.get(type);
    if (known) return known;
    const made = this.ajv.compile({ $ref: `stripe${this.roots[type]!.$ref}` });
    this.validators.set(type, made);
    return made;
  }
}
