// Prints JSON Schema for Stripe's response types, read from the .d.ts files of the installed SDK: `node schema.ts`.
import { join } from 'node:path';
import ts from 'typescript';

type Schema = Record<string, unknown> | boolean;

/** Names of the SDK's types for the objects in the simulator's answers. */
const ROOTS = [
  'Customer',
  'DeletedCustomer',
  'Product',
  'Price',
  'Subscription',
  'Invoice',
  'InvoicePayment',
  'PaymentIntent',
  'PaymentMethod',
  'Charge',
  'Refund',
  'Dispute',
  'CustomerBalanceTransaction',
  'BillingPortal.Session',
  'BillingPortal.Configuration',
  'TestHelpers.TestClock',
  'TestHelpers.DeletedTestClock',
  'EventBase',
];

const source = `import Stripe from 'stripe';\n${ROOTS.map((name, i) => `export declare const r${i}: Stripe.${name};`).join('\n')}`;
const file = join(import.meta.dirname, '__roots.ts');
const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  skipLibCheck: true,
  types: ['node'],
};
const host = ts.createCompilerHost(options);
const { getSourceFile, fileExists, readFile } = host;
host.getSourceFile = (name, ...rest) =>
  name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
host.fileExists = (name) => name === file || fileExists(name);
host.readFile = (name) => (name === file ? source : readFile(name));
const program = ts.createProgram([file], options, host);
const checker = program.getTypeChecker();
const definitions: Record<string, Schema> = {};
const names = new Map<ts.Type, string>();

const fault = program.getSemanticDiagnostics(program.getSourceFile(file))[0];
if (fault) throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, '\n'));
const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
const roots = Object.fromEntries(
  checker.getExportsOfModule(module).map((symbol, i) => [ROOTS[i], schemaOf(checker.getTypeOfSymbol(symbol))]),
);
process.stdout.write(JSON.stringify({ definitions, roots }));

function schemaOf(type: ts.Type): Schema {
  if (type.flags & ts.TypeFlags.Never || type.flags & ts.TypeFlags.Void || type.flags & ts.TypeFlags.Undefined)
    return false;
  if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
  if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
  if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' };
  if (type.flags & ts.TypeFlags.StringLike) return { type: 'string' };
  if (type.flags & ts.TypeFlags.NumberLike) return { type: 'number' };
  if (type.flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' };
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return true;
  if (type.isUnion()) return unionOf(type);
  // `string & {}` is an open enum, a branded object is a Decimal: both are strings in JSON.
  if (type.isIntersection()) return { type: 'string' };
  if (type.symbol?.name === 'Decimal') return { type: 'string' };
  if (checker.isArrayType(type))
    return { type: 'array', items: schemaOf(checker.getTypeArguments(type as ts.TypeReference)[0]!) };
  return objectOf(type);
}

/** Schema of a union type. An open enum accepts only its known values, because the simulator must not invent any. */
function unionOf(type: ts.UnionType): Schema {
  const hasValues = type.types.some((each) => each.isStringLiteral());
  const parts = type.types.filter(
    (each) => !(each.flags & ts.TypeFlags.Undefined) && !(hasValues && each.isIntersection()),
  );
  return { anyOf: parts.map(schemaOf) };
}

function objectOf(type: ts.Type): Schema {
  const known = names.get(type);
  if (known) return { $ref: `#/definitions/${known}` };
  const name = `${(type.symbol?.name ?? 'T').replace(/\W/g, '')}${names.size}`;
  names.set(type, name);
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const property of checker.getPropertiesOfType(type)) {
    properties[property.name] = schemaOf(checker.getTypeOfSymbol(property));
    if (!(property.flags & ts.SymbolFlags.Optional)) required.push(property.name);
  }
  const index = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  definitions[name] = { type: 'object', properties, required, additionalProperties: index ? schemaOf(index) : false };
  return { $ref: `#/definitions/${name}` };
}
