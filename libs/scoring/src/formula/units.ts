import { Fraction } from './rational';

/** A unit: its dimensions and its size. */
interface Unit {
  /** The canonical name, equal for all notations of the same unit: l and L. */
  name: string;
  /** The size in units of the dimensions; a plain number if the size is irrational. */
  factor: Fraction | number;
  /** Dimensions of the International System with their exponents. A unit outside the system is its own dimension. */
  dimensions: ReadonlyMap<string, number>;
}

const PREFIXES: ReadonlyMap<string, number> = new Map(
  Object.entries({ p: -12, n: -9, µ: -6, u: -6, m: -3, c: -2, d: -1, da: 1, h: 2, k: 3, M: 6, G: 9, T: 12 }),
);

/** Symbol, factor, dimensions. A `*` before the symbol: allows prefixes. After `=`: other symbols of the same unit. */
const TABLE = `
*m 1 m | *g 1/1000 kg | *s 1 s | *A 1 A | *K 1 K | *mol 1 mol | *cd 1 cd
*N 1 kg m s-2 | *J 1 kg m2 s-2 | *W 1 kg m2 s-3 | *Pa 1 kg m-1 s-2 | *Hz 1 s-1 | *C 1 A s | *V 1 kg m2 s-3 A-1
*F 1 kg-1 m-2 s4 A2 | *Ω=ohm=ohms=Ohm=Ohms 1 kg m2 s-3 A-2 | *S 1 kg-1 m-2 s3 A2 | *T 1 kg s-2 A-1 | *Wb 1 kg m2 s-2 A-1
*H 1 kg m2 s-2 A-2 | *eV 1602176634/10000000000000000000000000000 kg m2 s-2 | *cal 4184/1000 kg m2 s-2
*L=l 1/1000 m3 | t 1000 kg | min=mins 60 s | h=hr=hrs 3600 s | d=day=days 86400 s | yr=year=years 31557600 s | ha 10000 m2
sec=secs=second=seconds 1 s | minute=minutes 60 s | hour=hours 3600 s | week=weeks 604800 s | millisecond=milliseconds 1/1000 s
metre=metres=meter=meters 1 m | kilometre=kilometres=kilometer=kilometers 1000 m
centimetre=centimetres=centimeter=centimeters 1/100 m | gram=grams 1/1000 kg | kilogram=kilograms=kgs 1 kg
millimetre=millimetres=millimeter=millimeters 1/1000 m | milligram=milligrams 1/1000000 kg | tonne=tonnes 1000 kg
newton=newtons 1 kg m s-2 | joule=joules 1 kg m2 s-2 | watt=watts 1 kg m2 s-3 | volt=volts 1 kg m2 s-3 A-1
ampere=amperes=amp=amps 1 A | pascal=pascals 1 kg m-1 s-2 | hertz 1 s-1 | coulomb=coulombs 1 A s | kelvin=kelvins 1 K
mole=moles 1 mol | acre=acres 40468564224/10000000 m2 | psi 44482216152605/6451600000 kg m-1 s-2
litre=litres=liter=liters 1/1000 m3 | millilitre=millilitres=milliliter=milliliters 1/1000000 m3
in=inch=inches 254/10000 m | ft=foot=feet 3048/10000 m | yd=yard=yards 9144/10000 m | mi=mile=miles 1609344/1000 m
mph 44704/100000 m s-1 | kph 10/36 m s-1 | lb=lbs=pound=pounds 45359237/100000000 kg
oz=ounce=ounces 45359237/1600000000 kg | gal=gallon=gallons 3785411784/1000000000000 m3 | pt=pint=pints 473176473/1000000000000 m3
*bar 100000 kg m-1 s-2 | atm 101325 kg m-1 s-2 | *M 1000 mol m-3 | rad 1 | kmh 10/36 m s-1
$=dollar=dollars=USD 1 $ | €=euro=euros=EUR 1 € | £=GBP 1 £ | ¥=yen=JPY 1 ¥ | °C 1 °C | °F 1 °F
`;

const UNITS = readTable();

const DEGREE: Unit = { name: '°', factor: Math.PI / 180, dimensions: new Map() };

/** The unit that a text names; undefined when it names none. */
export function unitOf(text: string): Unit | undefined {
  if (text === '°' || text === 'deg' || text === 'degrees' || text === 'degree') return DEGREE;
  return UNITS.get(text);
}

/**
 * The units that adjacent letters name, longest first: `cm` is the centimetre, `Nm` the newton metre. undefined when
 * they name none.
 */
export function unitsIn(letters: string): string[] | undefined {
  if (UNITS.has(letters)) return [letters];
  if (letters.length > 8) return undefined;
  for (let length = Math.min(letters.length - 1, 4); length > 0; length -= 1) {
    const first = letters.slice(0, length);
    const rest = UNITS.has(first) ? unitsIn(letters.slice(length)) : undefined;
    if (rest) return [first, ...rest];
  }
  return undefined;
}

function readTable(): ReadonlyMap<string, Unit> {
  const units = new Map<string, Unit>();
  for (const row of TABLE.trim().split(/\n| \| /)) {
    const [symbols = '', factor = '1', ...dimensions] = row.split(' ');
    const names = symbols.replace('*', '').split('=');
    const size = new Fraction(factor);
    const measured = new Map(dimensions.map(readDimension));
    for (const name of names) units.set(name, { name: names[0] ?? name, factor: size, dimensions: measured });
    if (!symbols.startsWith('*')) continue;
    for (const [prefix, exponent] of PREFIXES) {
      const factorOfPrefix = exponent < 0 ? new Fraction(1, 10 ** -exponent) : new Fraction(10 ** exponent);
      for (const name of names) {
        const symbol = prefix + name;
        // Entries of the table win over prefixes: min is the minute, cd the candela.
        if (!units.has(symbol)) {
          const canonical = (prefix === 'u' ? 'µ' : prefix) + (names[0] ?? name);
          units.set(symbol, { name: canonical, factor: size.mul(factorOfPrefix), dimensions: measured });
        }
      }
    }
  }
  return units;
}

function readDimension(text: string): [string, number] {
  const [, name = text, exponent = '1'] = /^(\D+?)(-?\d+)?$/.exec(text) ?? [];
  return [name, Number(exponent)];
}
