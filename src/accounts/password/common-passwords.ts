/** The most common passwords of known leaks that have the minimum length, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  0123456789 0987654321 1020304050 1029384756 1111111111 1111122222 1122334455 11223344556 1123581321 1212121212
  1231231231 123123123123 1234512345 12345123456 123454321a 1234554321 123456123456 12345654321 1234567890 12345678900
  12345678901 123456789012 1234567890a 1234567890q 1234567890qwe 1234567891 12345678910 123456789123 123456789a
  123456789abc 123456789o 123456789q 123456789qwe 123456789z 12345abcde 12345qwert 12345qwerty 1234qwer1234
  1234qwerasdf 123qwe123qwe 123qweasdzxc 1357924680 147258369a 1478963250 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u8i9o0p
  1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 3141592654 5555555555 7777777777 9876543210 987654321a a123456789
  a1b2c3d4e5 aa123456789 abc1234567 abc123456789 abcd123456 abcd1234567 abcde12345 abcdefghij abcdefghijk admin12345
  admin123456 admin1234567 adminadmin administrator alexander1 asd123456789 asdasdasda asdasdasdasd asdf123456
  asdfasdfasdf asdfghjkl1 asdfghjkl123 asdfghjkl; asdfjkl;asdfjkl; baseball123 basketball basketball1 bitcoin123
  bitcoin1234 blink182blink butterfly1 changeme12 changeme123 changeme1234 charlie123 chocolate1 christopher
  correcthorsebatterystaple cryptocurrency default123 dragon12345 ferrari123 football12 football123 football1234
  forever123 goodmorning hello12345 hello123456 helloworld helloworld1 iloveyou12 iloveyou123 iloveyou1234
  iloveyouforever internet123 jonathan123 juventus123 letmein123 letmein1234 letmeinnow letmeinplease liverpool1
  liverpool123 login12345 manchester manchester1 manutd1234 master1234 michael123 minecraft1 minecraft123 monkey12345
  mypassword mypassword1 mypassword123 naruto12345 nothing123 openopen12 p@ssw0rd12 p@ssw0rd123 p@ssword123
  pa55word123 pass123456 pass1234567 passpasspass passw0rd12 passw0rd123 passw0rd1234 password!! password00 password01
  password1! password10 password11 password12 password123 password123! password1234 password12345 password123456
  password2020 password2021 password2022 password2023 password2024 password2025 password2026 password21 password22
  password99 passwordpassword pokemon123 princess12 princess123 q1w2e3r4t5 q1w2e3r4t5y6 qazwsx123456 qazwsxedc1
  qazwsxedc123 qazwsxedcrfv qwe123qwe123 qweasdzxc1 qweasdzxc123 qweqweqweqwe qwer123456 qwer12345678 qwerasdfzxcv
  qwert12345 qwert123456 qwerty1234 qwerty12345 qwerty123456 qwerty1234567 qwerty12345678 qwerty123456789 qwertyqwerty
  qwertyuiop qwertyuiop1 qwertyuiop12 qwertyuiop123 qwertyuiop[] qwertzuiop qwertzuiop1 realmadrid realmadrid1
  rockyou123 samsung123 satoshinakamoto secret1234 secret12345 secretpassword shadow1234 spiderman1 spiderman123
  starwars12 starwars123 strawberry sunshine12 sunshine123 superman12 superman123 superstar1 temppassword test123456
  test1234567 testpassword testtest12 testtest123 thepassword thisisapassword trustno1234 unbelievable university
  vanessa123 wachtwoord welcome123 welcome1234 welcome12345 welcome2020 welcome2021 welcome2022 welcome2023
  welcome2024 welcome2025 welcome2026 whatever12 whatever123 william123 yourpassword zaq12wsxcde3 zaq1zaq1zaq1
  zxcvbnm123 zxcvbnm1234 zxcvbnm12345 zxcvbnm123456 zxcvbnmasdfghjkl
  `
    .trim()
    .split(/\s+/),
);
