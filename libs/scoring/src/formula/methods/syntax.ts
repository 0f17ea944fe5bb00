import { type Match, no, yes } from '../comparison/functions';
import { type Formula, type NumberFormula, partsOf, writtenAs } from '../notation/formula';

/** equivSyntax: the response has the form of a syntax, which is a formula with placeholders such as \number. */
export function matchSyntax(syntax: Formula, response: Formula): Match {
  return fits(syntax, response)
    ? yes('has the form that is asked for')
    : no('has another form than the one that is asked for');
}

function fits(syntax: Formula, response: Formula): boolean {
  if (syntax.kind === 'call' && syntax.name.startsWith('\\'))
    return isOfForm(syntax.name.slice(1), sizeOf(syntax.arguments[0]), response);
  if (syntax.kind !== response.kind) return false;
  const [places, parts] = [partsOf(syntax), partsOf(response)];
  if (places.length === 0) return writtenAs(syntax) === writtenAs(response);
  if (places.length !== parts.length || outline(syntax) !== outline(response)) return false;
  return places.every((place, at) => fits(place, parts[at] as Formula));
}

/** A formula without its parts. */
function outline(formula: Formula): string {
  switch (formula.kind) {
    case 'sum':
    case 'relation':
      return formula.signs.join(' ');
    case 'either':
      return formula.sign;
    case 'call':
      return formula.name;
    case 'tuple':
      return `${formula.open} ${formula.close}`;
    default:
      return '';
  }
}

/** The number of decimals in a placeholder: \decimal{2}. */
function sizeOf(size: Formula | undefined): number | undefined {
  return size?.kind === 'number' ? Number(size.whole) : undefined;
}

function isOfForm(form: string, decimals: number | undefined, response: Formula): boolean {
  const formula = form !== 'variable' && response.kind === 'negative' ? response.of : response;
  switch (form) {
    case 'number':
      return isNumber(formula, decimals);
    case 'integer':
      return formula.kind === 'number' && formula.decimals === undefined;
    case 'decimal':
      return isDecimal(formula, decimals);
    case 'scientific':
      return isScientific(formula, decimals);
    case 'variable':
      return formula.kind === 'symbol';
    case 'simpleFraction':
      return isSimpleFraction(formula);
    case 'mixedFraction':
      return formula.kind === 'mixed';
    case 'fraction':
      return isSimpleFraction(formula) || formula.kind === 'mixed';
    case 'fractionOrDecimal':
      return isSimpleFraction(formula) || formula.kind === 'mixed' || isDecimal(formula, decimals);
    default:
      return false;
  }
}

function isNumber(formula: Formula, decimals: number | undefined): formula is NumberFormula {
  return formula.kind === 'number' && (decimals === undefined || (formula.decimals ?? '').length === decimals);
}

function isDecimal(formula: Formula, decimals: number | undefined): boolean {
  return isNumber(formula, decimals) && formula.decimals !== undefined;
}

function isSimpleFraction(formula: Formula): boolean {
  return formula.kind === 'quotient' && isInteger(formula.numerator) && isInteger(formula.denominator);
}

/** One digit other than zero before the decimal separator, times a power of ten. */
function isScientific(formula: Formula, decimals: number | undefined): boolean {
  if (formula.kind !== 'product' || formula.factors.length !== 2) return false;
  const [mantissa, power] = formula.factors as [Formula, Formula];
  if (!isNumber(mantissa, decimals) || !/^[1-9]$/.test(mantissa.whole)) return false;
  return power.kind === 'power' && isInteger(power.base) && writtenAs(power.base) === '10' && isInteger(power.exponent);
}

function isInteger(formula: Formula): boolean {
  const number = formula.kind === 'negative' ? formula.of : formula;
  return number.kind === 'number' && number.decimals === undefined;
}
