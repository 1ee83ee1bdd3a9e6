import { wordPairs } from '../word-pairs.ts';

/** Singular and plural of a unit's name. */
export type UnitName = readonly [one: string, many: string];

/** `in.` and `in`, `m` and such are words too: those count as units only when they touch the number. */
const NAMES = `
kg kilogram kilograms|g gram grams|mg milligram milligrams|mcg microgram micrograms|µg microgram micrograms
lb pound pounds|lbs pound pounds|oz ounce ounces
km kilometer kilometers|m meter meters|cm centimeter centimeters|mm millimeter millimeters|µm micrometer micrometers
mi mile miles|ft foot feet|in. inch inches|yd yard yards|yds yard yards
km² square_kilometer square_kilometers|m² square_meter square_meters|m³ cubic_meter cubic_meters|ft² square_foot square_feet
sq_ft square_foot square_feet|sq._ft square_foot square_feet|sqft square_foot square_feet|sq_m square_meter square_meters|sq_mi square_mile square_miles|cu_ft cubic_foot cubic_feet
l liter liters|L liter liters|ml milliliter milliliters|mL milliliter milliliters|gal gallon gallons|qt quart quarts|pt pint pints
tsp teaspoon teaspoons|tbsp tablespoon tablespoons|fl_oz fluid_ounce fluid_ounces|fl._oz fluid_ounce fluid_ounces
h hour hours|hr hour hours|hrs hours hours|min minute minutes|mins minute minutes|s second seconds|sec second seconds|secs second seconds|ms millisecond milliseconds
yr year years|yrs year years|mo month months|mos month months|wk week weeks|wks week weeks
mph mile_per_hour miles_per_hour|km/h kilometer_per_hour kilometers_per_hour|kmh kilometer_per_hour kilometers_per_hour|kph kilometer_per_hour kilometers_per_hour|m/s meter_per_second meters_per_second
mpg mile_per_gallon miles_per_gallon|rpm revolution_per_minute revolutions_per_minute|bpm beat_per_minute beats_per_minute|psi pound_per_square_inch pounds_per_square_inch
mg/dL milligram_per_deciliter milligrams_per_deciliter|mg/kg milligram_per_kilogram milligrams_per_kilogram|mmHg millimeter_of_mercury millimeters_of_mercury
cal calorie calories|kcal kilocalorie kilocalories|J joule joules|kJ kilojoule kilojoules
W watt watts|kW kilowatt kilowatts|MW megawatt megawatts|kWh kilowatt_hour kilowatt_hours|V volt volts|mA milliamp milliamps|mAh milliamp_hour milliamp_hours
Hz hertz hertz|kHz kilohertz kilohertz|MHz megahertz megahertz|GHz gigahertz gigahertz|dB decibel decibels
KB kilobyte kilobytes|kB kilobyte kilobytes|MB megabyte megabytes|GB gigabyte gigabytes|TB terabyte terabytes
kbps kilobit_per_second kilobits_per_second|Kbps kilobit_per_second kilobits_per_second|Mbps megabit_per_second megabits_per_second|Gbps gigabit_per_second gigabits_per_second
px pixel pixels|fps frame_per_second frames_per_second|ppm part_per_million parts_per_million
°F degree_Fahrenheit degrees_Fahrenheit|°C degree_Celsius degrees_Celsius|°K kelvin kelvins|° degree degrees|% percent percent
`;

/** By written symbol; a space in a symbol ("sq ft") is a plain space. */
export const UNIT_NAMES: ReadonlyMap<string, UnitName> = new Map(
  NAMES.trim()
    .split(/[\n|]/)
    .map((entry) => {
      const [symbol = '', one = '', many = ''] = entry
        .split(' ')
        .map((part) => part.replaceAll('_', ' '));
      return [symbol, [one, many]] as const;
    }),
);

/** What "per" may be followed by, as in "$20/mo" or "5/day". */
export const PER_NAMES = wordPairs(
  'mo month|month month|yr year|year year|hr hour|hour hour|h hour|min minute|minute minute|sec second|wk week|week week|day day|night night|' +
    'person person|user user|unit unit|lb pound|kg kilogram|oz ounce|gal gallon|mi mile|mile mile|gallon gallon|sqft square foot|ea each',
);
