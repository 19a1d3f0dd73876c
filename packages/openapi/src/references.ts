import type { OpenApiDocument, Reference } from './types.ts';

/** Resolves references to components; other values are returned unchanged. */
export function resolver({ components }: OpenApiDocument): <Value>(value: Value | Reference) => Value {
  const byKind = components as unknown as Record<string, Record<string, unknown>>;
  return <Value>(value: Value | Reference): Value => {
    const { $ref } = value as Reference;
    if ($ref === undefined) return value as Value;
    const [kind = '', name = ''] = $ref.split('/').slice(2);
    return byKind[kind]![name] as Value;
  };
}
