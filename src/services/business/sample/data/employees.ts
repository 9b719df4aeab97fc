/** Employees: number, given name, surname, job title, days since the first day of work, birth date. */
export const EMPLOYEES: readonly (readonly [string, string, string, string, number, string])[] = [
  ['E0001', 'Magdalena', 'Hofer', 'Managing Director', 4380, '1974-03-12'],
  ['E0002', 'Thomas', 'Reisinger', 'Sales Manager', 3290, '1979-11-02'],
  ['E0003', 'Sabine', 'Kern', 'Sales, Germany', 2560, '1985-06-27'],
  ['E0004', 'Jean', 'Perrin', 'Sales, Export', 2190, '1988-01-19'],
  ['E0005', 'Elin', 'Lund', 'Sales, North', 1460, '1991-09-30'],
  ['E0006', 'Georg', 'Aigner', 'Purchaser', 3650, '1970-07-08'],
  ['E0007', 'Petra', 'Wimmer', 'Accountant', 2920, '1982-12-14'],
  ['E0008', 'Lukas', 'Gruber', 'Accountant', 820, '1996-04-03'],
  ['E0009', 'Dragan', 'Petrovic', 'Warehouse Manager', 3100, '1977-10-21'],
  ['E0010', 'Ines', 'Moser', 'Warehouse', 540, '1999-02-16'],
  ['E0011', 'Felix', 'Bauer', 'Service Technician', 1280, '1990-08-05'],
  ['E0012', 'Nora', 'Steiner', 'Apprentice', 260, '2005-05-25'],
];
