#[test] fn p(){ use parlor_kernel::*;
 let d=Dice::new(&Seed::named("frozen"),"g1");
 let mut s=d.stream("deal/1"); println!("W1 {:?}",(0..4).map(|_|format!("{:#010x}",s.next_u32())).collect::<Vec<_>>());
 let mut s=d.stream("bot/0"); println!("W2 {:?}",(0..4).map(|_|format!("{:#010x}",s.next_u32())).collect::<Vec<_>>());
 let mut s=d.stream("far"); for _ in 0..1000{s.next_u32();} println!("FAR {:#010x}",s.next_u32());
 let mut s=d.stream("below"); println!("B {:?}",[2,3,6,10,48,1000,1_000_000,u32::MAX, (1<<31)+1].map(|n|s.below(n)));
 let mut s=d.stream("dice"); println!("D6 {:?}",(0..16).map(|_|s.below(6)).collect::<Vec<_>>());
 let mut c:Vec<u8>=(0..48).collect(); d.shuffle("deal/1",&mut c); println!("S {:?}",c);
 println!("SEAL {}",Seal::named("frozen").commitment());
 println!("SEED {}",Seed::named("frozen").bytes().iter().map(|b|format!("{b:02x}")).collect::<String>());
}
